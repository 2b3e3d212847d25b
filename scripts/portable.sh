# What keeps compiled libraries portable and their compilation short. Sourced by environment.sh and bundle.sh.
# Without -march=native they also run on another machine's processor: pip's cache and kits go from one to another.
export HNSWLIB_NO_NATIVE=1
# Of llama.cpp we need the library alone: neither its programs nor reading images nor the network. Its instructions
# are named one by one: where SOURCE_DATE_EPOCH is set it would take none that not every x86-64 has, and be slow.
export CMAKE_ARGS="-DGGML_NATIVE=OFF -DGGML_SSE42=ON -DGGML_AVX=ON -DGGML_AVX2=ON -DGGML_FMA=ON -DGGML_F16C=ON \
-DGGML_BMI2=ON -DLLAVA_BUILD=OFF -DMTMD_BUILD=OFF -DLLAMA_BUILD_TOOLS=OFF \
-DLLAMA_BUILD_EXAMPLES=OFF -DLLAMA_BUILD_SERVER=OFF -DLLAMA_BUILD_TESTS=OFF -DLLAMA_CURL=OFF \
-DLLAMA_OPENSSL=OFF${CMAKE_ARGS:+ $CMAKE_ARGS}"
# The same sources make the same wheel, byte for byte: its files are as old as zip's calendar.
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-315532800}
