"""Bodies of HTTP answers, held against the schemas that OpenAPI publishes."""

from jsonschema import Draft202012Validator

from api.http.schemas import components

SCHEMAS = dict(components())


def fits(name: str, body: object) -> None:
    schema = {"$ref": f"#/components/schemas/{name}", "components": {"schemas": SCHEMAS}}
    Draft202012Validator(schema).validate(body)
