#!/usr/bin/env python3
"""Has manifests done by Apache Spark.

    spark-submit --master spark://… run-spark.py RESULTS MANIFEST… -- COMMAND…
    spark-submit --master spark://… run-spark.py /shared/results /shared/photos-*.jsonl -- \\
        cameo worker -o /shared/thumbs --name content

Each MANIFEST, lines of JSON as 'cameo manifest' prints them, is a job of its own: its answers go to RESULTS/NAME, a
folder of part files called as it is without .jsonl or .json, and a manifest that has its folder is passed over.
Manifests, RESULTS and whatever COMMAND names are at the same place on every machine. Exit status: 0 every line has its
answer, 1 some manifest is not done (see standard error) and the same command goes on with it, 2 wrong usage, 3 the same
as 1 because machines are at fault.
"""
import argparse
import json
import os
import shutil
import sys

from answers import identified, refusal

HERE = os.path.dirname(os.path.abspath(__file__))
# What `cameo worker` exits with where a machine is at fault, and so this.
MACHINE = 3


def partition(command, patience):
    def perform(lines):
        from reader import Reader  # Spark brings it to the machine.

        for answer in Reader(lines, command, patience=patience).answers():
            # As ASCII: an id may hold what no UTF-8 can, and a task that cannot be written would fail for ever.
            yield json.dumps(answer)

    return perform


def name(manifest):
    """What the folder of the manifest's answers is called."""
    base = os.path.basename(os.path.abspath(manifest))
    # No more: 'split -d' calls its parts NAME.00, NAME.01, …
    stem, suffix = os.path.splitext(base)
    return stem if suffix in (".jsonl", ".json") else base


def twins(manifests):
    """Two manifests whose answers would go to the same folder, or None."""
    known = {}
    for manifest in manifests:
        first = known.setdefault(name(manifest), manifest)
        if os.path.abspath(first) != os.path.abspath(manifest):
            return first, manifest
    return None


def run(context, manifest, results, command, lines_a_task, patience):
    """Has one manifest done. What is wrong, or None."""
    target = os.path.join(results, name(manifest))
    if os.path.exists(target):
        return None
    with open(manifest, "rb") as file:
        wanted = sum(1 for line in file if line.strip())
    # Afterwards it would be found out too, again and again.
    refused = refusal(manifest, wanted, len({identifier for identifier, _ in identified(manifest)}))
    if refused:
        return refused
    # What a job left that did not come to its end is done again; with --name content most of it is current.
    shutil.rmtree(target + ".part", ignore_errors=True)
    lines = context.textFile("file://" + os.path.abspath(manifest), max(1, -(-wanted // lines_a_task)))
    answers = lines.filter(str.strip).mapPartitions(partition(command, patience))
    answers.saveAsTextFile("file://" + os.path.abspath(target + ".part"))
    identifiers = context.textFile("file://" + os.path.abspath(target + ".part")).map(
        lambda line: json.dumps(json.loads(line)["id"], sort_keys=True))
    rows, distinct = identifiers.count(), identifiers.distinct().count()
    if not wanted == rows == distinct:
        return f"{manifest}: {wanted} lines, {rows} answers, {distinct} different ids"
    os.rename(target + ".part", target)
    print(f"{target}: {rows} answers", file=sys.stderr)
    return None


def main():
    parser = argparse.ArgumentParser(usage="run-spark.py [OPTIONS] RESULTS MANIFEST… -- COMMAND…")
    parser.add_argument("results")
    parser.add_argument("manifests", nargs="+")
    parser.add_argument("--lines-a-task", type=int, default=5000, help="about a minute of one core (5000)")
    parser.add_argument("--patience", type=float, default=120, help="seconds a worker may be silent (120)")
    words = sys.argv[1:]
    if "--" not in words or not words[words.index("--") + 1:]:
        parser.error("no -- COMMAND")
    options = parser.parse_args(words[:words.index("--")])
    command = words[words.index("--") + 1:]
    pair = twins(options.manifests)
    if pair:
        parser.error(f"the answers of {pair[0]} and {pair[1]} would go to the same folder")

    from pyspark import SparkConf, SparkContext

    os.makedirs(options.results, exist_ok=True)
    # Without it a SparkConf does not know yet what spark-submit was told, and everything seems to be missing.
    SparkContext._ensure_initialized()
    conf = SparkConf().setAppName("cameo")
    # A machine at fault is left out for a while, and its tasks go to another.
    conf.setIfMissing("spark.excludeOnFailure.enabled", "true")
    conf.setIfMissing("spark.excludeOnFailure.task.maxTaskAttemptsPerNode", "1")
    conf.setIfMissing("spark.task.maxFailures", "8")
    # Where one of two machines is at fault, the other had better be known before the first task fails.
    conf.setIfMissing("spark.scheduler.minRegisteredResourcesRatio", "1.0")
    context = SparkContext(conf=conf)
    context.setLogLevel("WARN")
    context.addPyFile(os.path.join(HERE, "reader.py"))
    status = 0
    for manifest in options.manifests:
        try:
            problem = run(context, manifest, options.results, command, options.lines_a_task, options.patience)
        except Exception as error:  # Py4J's, whose text holds the tasks' own.
            lines = str(error).splitlines()
            told = [line for line in lines if line.startswith("reader.MachineFault")]
            problem = f"{manifest}: {(told or lines)[0]}"
            if told:
                status = MACHINE
        if problem:
            status = status or 1
            print(f"run-spark.py: {problem}", file=sys.stderr)
    context.stop()
    sys.exit(status)


if __name__ == "__main__":
    main()
