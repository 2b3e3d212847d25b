"""PDF files as small as they can be."""


def small_pdf(resources: bytes, *objects: bytes) -> bytes:
    """A PDF whose one page shows what object 4 says; further objects follow it."""
    first = (
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<<%s>>>>"
        % resources,
    )
    numbered = (b"%d 0 obj%s endobj\n" % told for told in enumerate((*first, *objects), start=1))
    return b"%PDF-1.7\n" + b"".join(numbered) + b"trailer<</Root 1 0 R>>\n%%EOF"
