// Nothing is called: what lies beside it works from the program's beginning on.
