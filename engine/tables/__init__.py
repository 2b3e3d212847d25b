"""Claims beside tables: the row and the column that a claim names, and the cell where they meet."""
