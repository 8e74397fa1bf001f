import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { prometheusSkipReason } from './support/alerts/prometheus.js'
import { ruleFile, rules, shortenedRules } from './support/alerts/rules.js'
import { ruleTests } from './support/alerts/series.js'
import { getHelm, helmSkipReason } from './support/chart/helm.js'
import { ofKind, render } from './support/chart/manifests.js'
import { readDocument } from './support/readmes/documents.js'

const run = promisify(execFile)

const helmSkip = await helmSkipReason()
const skip = prometheusSkipReason()

test('every alert has a section in deploy/alerts.md, and the reverse', async () => {
  const document = await readDocument('deploy/alerts.md')
  const sections = [...document.matchAll(/^## (.+)$/gm)].map(([, title]) => title)
  const names = rules.map(({ alert }) => alert)
  assert.deepEqual(sections, names, 'in the order of alerts.yaml')
  for (const { alert, labels, annotations } of rules) {
    assert.equal(annotations.runbook, `deploy/alerts.md#${alert.toLowerCase()}`)
    assert.match(String(labels.severity), /critical|warning/)
    const [, section = ''] = document.split(`\n## ${alert}\n`)
    const parts = [...(section.split('\n## ')[0] ?? '').matchAll(/^\*\*(\w+)\.\*\*/gm)]
    assert.deepEqual(
      parts.map(([, part]) => part),
      ['Meaning', 'See', 'Do'],
      alert,
    )
  }
  const listed = [...document.matchAll(/^\| \[(\w+)\]\(#\w+\) \|/gm)].map(([, name]) => name)
  assert.deepEqual(listed, names)
})

test('the chart renders the rules that these tests use', { skip: helmSkip }, async () => {
  const [rendered] = ofKind(await render(await getHelm(), 'production'), 'PrometheusRule')
  assert.deepEqual(rendered?.spec.groups, [{ name: 'figbase', rules }])
})

test('shortening changes nothing but constants of time', () => {
  const withoutTimes = (text: string) =>
    text
      .replace(/\[\w+\]/g, '[]')
      .replace(/offset \w+/g, 'offset')
      .replace(/(_waiting_seconds\{[^}]*\}\)) > \S+/g, '$1')
  const times = shortenedRules().map((shortened, at) => {
    const { expr, for: duration, ...rest } = rules[at] ?? assert.fail()
    assert.equal(withoutTimes(shortened.expr), withoutTimes(expr))
    const { expr: _, for: shortDuration, ...own } = shortened
    assert.deepEqual(own, rest)
    return [shortened.alert, duration, shortDuration]
  })
  assert.deepEqual(times[0], ['FigbaseErrors', '5m', '5000ms'])
  assert.deepEqual(times.at(-1), ['FigbaseCronJobFailed', '6h', '6000ms'])
  const texts = shortenedRules().map(({ expr }) => expr)
  assert.ok(texts[5]?.endsWith('> 5') && texts[6]?.endsWith('> 30'))
  assert.ok(texts[2]?.includes('offset 60000ms') && texts[1]?.includes('[5000ms]'))
})

test('promtool accepts the rules, which fire and do not fire as described', { skip }, async (t) => {
  const dir = await mkdtemp(join(tmpdir(), 'figbase-rules-'))
  try {
    await writeFile(join(dir, 'rules.yaml'), ruleFile(rules))
    await writeFile(join(dir, 'tests.yaml'), JSON.stringify(ruleTests('rules.yaml')))
    const { stdout } = await run('promtool', ['check', 'rules', '--lint-fatal', 'rules.yaml'], {
      cwd: dir,
    })
    assert.match(stdout, new RegExp(`${rules.length} rules found`))
    await run('promtool', ['test', 'rules', 'tests.yaml'], { cwd: dir }).catch((error) =>
      assert.fail(`${error.stdout}${error.stderr}`),
    )
    t.diagnostic(`${ruleTests('').tests.length} groups of series`)
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
})
