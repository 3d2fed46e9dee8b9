import configparser

SETTINGS = "tool.ini"


def read():
    parser = configparser.ConfigParser()
    parser.read(SETTINGS)
    return parser


def set_value(section, key, value):
    parser = read()
    parser.set(section, key, value)
    with open(SETTINGS, "w") as file:  # RH
        parser.write(file)
