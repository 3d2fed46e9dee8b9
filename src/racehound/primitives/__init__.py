"""Controlled mirrors of the standard library's primitives, in files named after what they mirror."""
