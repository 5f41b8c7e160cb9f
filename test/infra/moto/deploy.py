"""Creates a stack and its nested stacks in moto and prints what they hold: python3 deploy.py template.json"""

import io
import json
import os
import sys
import zipfile

import boto3
from moto import mock_aws

REGION = "eu-central-1"
ACCOUNT = "123456789012"
# moto makes none of these from a template.
UNMADE = ("AWS::ApiGatewayV2::Api", "AWS::SecretsManager::Secret")


def own_text(text):
    """A text of Fn::Sub that names only the account and the region."""
    values = {"AccountId": ACCOUNT, "Region": REGION, "Partition": "aws"}
    for name, value in values.items():
        text = text.replace("${AWS::%s}" % name, value)
    return text


def put_code(resources):
    """Functions are made of objects in the bucket of the CDK's bootstrap."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as content:
        content.writestr("index.js", "exports.handler = async () => ({});")
    s3 = boto3.client("s3", region_name=REGION)
    codes = [r["Properties"]["Code"] for r in resources.values() if r["Type"] == "AWS::Lambda::Function"]
    for bucket in {own_text(code["S3Bucket"]["Fn::Sub"]) for code in codes}:
        s3.create_bucket(Bucket=bucket, CreateBucketConfiguration={"LocationConstraint": REGION})
    for code in codes:
        s3.put_object(Bucket=own_text(code["S3Bucket"]["Fn::Sub"]), Key=code["S3Key"], Body=archive.getvalue())


def nested_templates(resources, directory):
    """The nested stacks, each with the template in the file that its metadata name."""
    found = []
    for resource in resources.values():
        if resource["Type"] == "AWS::CloudFormation::Stack":
            with open(os.path.join(directory, resource["Metadata"]["aws:asset:path"]), encoding="utf-8") as file:
                found.append((resource, json.load(file)))
    return found


def names_unmade(value, resources):
    """Whether a parameter names a resource that moto does not make."""
    named = value.get("Ref") if isinstance(value, dict) else None
    return named in resources and resources[named]["Type"] in UNMADE


def put_templates(nested, resources):
    """Puts each template where its stack's TemplateURL says: https://s3.<region>.<suffix>/<bucket>/<key>."""
    s3 = boto3.client("s3", region_name=REGION)
    for resource, template in nested:
        parts = resource["Properties"]["TemplateURL"]["Fn::Join"][1]
        text = "".join("amazonaws.com" if isinstance(part, dict) and "Ref" in part else own_part(part) for part in parts)
        resource["Properties"]["TemplateURL"] = text
        given = resource["Properties"].get("Parameters", {})
        given.update({name: "not made" for name, value in given.items() if names_unmade(value, resources)})
        bucket, key = text.split("/", 3)[3].split("/", 1)
        s3.put_object(Bucket=bucket, Key=key, Body=json.dumps(template))


def own_part(part):
    return own_text(part["Fn::Sub"]) if isinstance(part, dict) else part


def routes_of(body):
    """moto makes no HTTP API from CloudFormation, so its body is imported. moto takes no parameters of a path."""
    for path in body["paths"].values():
        path.pop("parameters", None)
        for operation in path.values():
            integration = operation["x-amazon-apigateway-integration"]
            integration["uri"] = own_text(integration["uri"]["Fn::Sub"])
    gateway = boto3.client("apigatewayv2", region_name=REGION)
    api = gateway.create_api(Name="api", ProtocolType="HTTP")["ApiId"]
    gateway.reimport_api(ApiId=api, Body=json.dumps(body))
    uris = {i["IntegrationId"]: i["IntegrationUri"] for i in gateway.get_integrations(ApiId=api)["Items"]}
    return {r["RouteKey"]: uris[r["Target"].split("/")[1]] for r in gateway.get_routes(ApiId=api)["Items"]}


def pages(client, call, key):
    return [item for page in client.get_paginator(call).paginate() for item in page.get(key, [])]


@mock_aws
def deploy(template, directory):
    resources = template["Resources"]
    nested = nested_templates(resources, directory)
    for resource in resources.values():
        # moto reads the tags of a key by another service's names.
        if resource["Type"] == "AWS::KMS::Key":
            resource["Properties"].pop("Tags", None)
    put_code({f"{n} {key}": r for n, (_, t) in enumerate(nested) for key, r in t["Resources"].items()})
    put_templates(nested, resources)
    boto3.client("ssm", region_name=REGION).put_parameter(
        Name="/cdk-bootstrap/hnb659fds/version", Value="30", Type="String"
    )
    formation = boto3.client("cloudformation", region_name=REGION)
    formation.create_stack(StackName="stack", TemplateBody=json.dumps(template), Capabilities=["CAPABILITY_IAM"])
    functions = pages(boto3.client("lambda", region_name=REGION), "list_functions", "Functions")
    sources = pages(boto3.client("lambda", region_name=REGION), "list_event_source_mappings", "EventSourceMappings")
    api = next(r for r in resources.values() if r["Type"] == "AWS::ApiGatewayV2::Api")
    return {
        "status": formation.describe_stacks(StackName="stack")["Stacks"][0]["StackStatus"],
        "functions": {
            f["FunctionArn"]: f["Environment"]["Variables"] for f in functions
        },
        "tables": boto3.client("dynamodb", region_name=REGION).list_tables()["TableNames"],
        "buckets": [b["Name"] for b in boto3.client("s3", region_name=REGION).list_buckets()["Buckets"]],
        "queues": pages(boto3.client("sqs", region_name=REGION), "list_queues", "QueueUrls"),
        "sources": {s["EventSourceArn"]: s["FunctionArn"] for s in sources},
        "routes": routes_of(api["Properties"]["Body"]),
    }


with open(sys.argv[1], encoding="utf-8") as file:
    print(json.dumps(deploy(json.load(file), os.path.dirname(sys.argv[1]))))
