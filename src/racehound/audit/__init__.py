"""Two commands and a directory: can they be called in parallel?"""
