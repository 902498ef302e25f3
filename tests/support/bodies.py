"""Bodies of HTTP answers, held against the schemas that OpenAPI publishes."""

from jsonschema import Draft202012Validator

from api.schemas import contract_schemas

SCHEMAS = contract_schemas()


def component(name: str) -> str:
    """The description's name of a schema of the contract: `rule_record` is `RuleRecord`."""
    return "".join(word.capitalize() for word in name.split("_"))


def fits(name: str, body: object) -> None:
    schema = {"$ref": f"#/components/schemas/{component(name)}", "components": {"schemas": SCHEMAS}}
    Draft202012Validator(schema).validate(body)
