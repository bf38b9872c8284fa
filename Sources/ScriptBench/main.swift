import Script

print("script-run: the parser is not there yet")
