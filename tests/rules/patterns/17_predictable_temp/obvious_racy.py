def export(rows):
    with open("/tmp/export.csv", "w") as file:  # RH
        file.writelines(rows)
