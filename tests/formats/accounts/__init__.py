"""What is known of each format, by code of its own: one module for each, found by its name.

A module has
  ENDING       of names of its files, as `netml convert` takes them
  SAMPLES      patterns of real files below data/formats; REFUSED of them, and what is said then
  LOST         how many fields are lost, by the name of a sample; none in all others
  count(path)  the fields that are in a file (docs/formats/README.md)
  Generator    of a map: Generator(seed).file() is its text or bytes, then .lost how many of its
               fields must be lost; None: nobody knows, only the sum is held against the count
  LOSSLESS     whether all that the map has comes back from files of the format
and may have
  elements(path)  nodes and links as another library finds them; None where it is not installed
  WRITTEN      False where the format is read only
  faults(path)    what in a written file is not as the standard of the format wants it, as texts
"""
