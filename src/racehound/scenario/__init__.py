"""From a class, a function or a finding to operations worth racing, and to what counts as their outcome."""
