import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'yaml'
import { allSettings, declaredSettings } from '../src/settings-table.js'
import { badValues, goodValues } from './support/chart/bad-values.js'
import { withSettings, withValuesTable } from './support/chart/documents.js'
import { readChart, secretNames, servicesAndGateway, table } from './support/chart/files.js'
import { getHelm, helmSkipReason, namespace, release } from './support/chart/helm.js'
import { ofKind, parseManifests, podsIn } from './support/chart/manifests.js'
import { callsInCode, readEnvironment, sourcesIn } from './support/chart/product.js'
import { readDocument } from './support/readmes/documents.js'

const skip = await helmSkipReason()

const labelsOf = (process: string) =>
  `${namespace}:${['name=figbase', `instance=${release}`, `component=${process}`]
    .map((label) => `app.kubernetes.io/${label}`)
    .join('&')}`

test('the schema knows every setting and secret', () => {
  const text = readChart('values.schema.json')
  assert.deepEqual(withSettings(text), JSON.parse(text), 'run npm run settings')
})

test('the README lists every value', () => {
  const readme = readChart('README.md')
  assert.equal(withValuesTable(readme, readChart('values.yaml')), readme, 'run npm run settings')
})

test('every group and value of values.yaml is in the schema, and the reverse', () => {
  const { properties } = JSON.parse(readChart('values.schema.json'))
  const names = Object.keys(parse(readChart('values.yaml')))
  assert.deepEqual([...names, 'global'].sort(), Object.keys(properties).sort())
})

test('every setting with a secret is a secret of the chart', () => {
  const names = declaredSettings().map(({ name }) => name)
  const secret = names.filter((name) => /_(KEY|KEYS_PREVIOUS|PASSWORD|SECRET|HEADERS)$/.test(name))
  assert.deepEqual(
    secret.filter((name) => !secretNames.includes(name)),
    [],
  )
  const known = new Set([...names, 'BACKUP_DATABASE_URL'])
  assert.deepEqual(
    secretNames.filter((name) => !known.has(name)),
    [],
  )
})

test('every setting of the product reaches the processes that read it', { skip }, async (t) => {
  const helm = await getHelm()
  const names = allSettings().map(({ name }) => name)
  const ordinary = names.filter((name) => !(name in table.managed) && !secretNames.includes(name))
  const set = [
    ...goodValues,
    // A comma would separate assignments.
    ...ordinary.map((name) => `settings.${name}="value of ${name}"`),
    ...secretNames.map((name) => `secrets.${name}={"value":"secret ${name}"}`),
    'publicUrl="https://public.example"',
    'notebooksUrl="https://notebooks.example"',
    'ports={"http":18000,"rpc":17000,"operations":19464,"notebooks":18001}',
    'listen="::"',
    'shutdown={"delaySeconds":11,"timeoutSeconds":12}',
    'data.mountPath="/elsewhere"',
    'notebooks={"enabled":true,"namespace":"books","image":"jupyter:1"}',
    'migrations.job=false',
    'tls={"mode":"existing","existingSecret":"{process}-tls"}',
  ]
  const values: Record<string, string> = {
    PUBLIC_URL: 'https://public.example',
    COMPUTE_PUBLIC_URL: 'https://notebooks.example',
    PORT: '18000',
    RPC_PORT: '17000',
    OPERATIONS_PORT: '19464',
    COMPUTE_PORT: '18001',
    HOST: '::',
    RPC_HOST: '::',
    OPERATIONS_HOST: '::',
    SHUTDOWN_DELAY: '11s',
    SHUTDOWN_TIMEOUT: '12s',
    MIGRATE_AT_START: 'true',
    COMPUTE_DRIVER: 'kubernetes',
    COMPUTE_KUBERNETES_NAMESPACE: 'books',
    COMPUTE_KUBERNETES_IMAGE: 'jupyter:1',
    COMPUTE_KUBERNETES_CLIENTS: `${labelsOf('compute')}`,
    COMPUTE_KUBERNETES_DESTINATIONS: `${labelsOf('gateway')}:18000`,
    RPC_TLS_CERT_FILE: '/tls/tls.crt',
    RPC_TLS_KEY_FILE: '/tls/tls.key',
    RPC_TLS_CA_FILE: '/tls/ca.crt',
  }
  const manifests = parseManifests(await helm.template({ set }))
  const [settings] = ofKind(manifests, 'ConfigMap')
  const missing: string[] = []
  const reached = new Set<string>()
  for (const { spec } of podsIn(ofKind(manifests, 'Deployment'))) {
    const [container] = spec.containers
    assert.ok(container)
    const env = new Map(container.env?.map((one) => [one.name, one.value ?? one.valueFrom]))
    const { names: read } = readEnvironment(container.name)
    for (const name of [...ordinary, ...Object.keys(values)].filter((one) => read.has(one))) {
      // Those of a server that this process does not use, and ports that it does not open.
      if (!env.has(name) && settings?.data?.[name] === undefined) continue
      const value = env.get(name) ?? settings?.data?.[name]
      if (value === (values[name] ?? `value of ${name}`)) reached.add(name)
      else missing.push(`${container.name}: ${name} is ${value}`)
    }
    for (const name of secretNames) if (env.has(name)) reached.add(name)
  }
  assert.deepEqual(missing, [])
  // The launcher and commands read these.
  for (const [name, value] of Object.entries({
    FIGBASE_DATA_DIR: '/elsewhere',
    FIGBASE_DEBUG: 'value of FIGBASE_DEBUG',
  })) {
    if (settings?.data?.[name] === value) reached.add(name)
  }
  // Replicas are those of Deployments, and the file is that of a secret.
  const others = ['FIGBASE_REPLICAS', 'AI_API_KEY_FILE']
  assert.deepEqual(
    names.filter((name) => !reached.has(name) && !others.includes(name)),
    [],
  )
  t.diagnostic(
    `${reached.size} settings reach ${servicesAndGateway.length} processes, ${secretNames.length} of them secrets`,
  )
})

test('unknown and contradictory values are refused, and the message says why', {
  skip,
}, async (t) => {
  const helm = await getHelm()
  await helm.template({ set: goodValues })
  for (const [name, { set, says }] of Object.entries(badValues)) {
    await assert.rejects(helm.template({ set }), says, name)
  }
  t.diagnostic(`${Object.keys(badValues).length} kinds of values are refused`)
})

test('alerts and the dashboard use metrics that the code has', () => {
  const texts = [
    'services/kit/src/metrics',
    'services/kit/src/db',
    'services/kit/src/jobs',
    'services/kit/src/events',
    'gateway/src/http',
  ].flatMap(sourcesIn)
  const code = texts.join('\n')
  const used = ['files/alerts.yaml', 'files/dashboard.json'].flatMap((file) =>
    [...readChart(file).matchAll(/\bfigbase_\w+/g)].map(([name]) => name),
  )
  const families = [...new Set(used.map((name) => name.replace(/_(bucket|count|sum)$/, '')))]
  assert.deepEqual(
    families.filter((name) => !code.includes(name)),
    [],
  )
  const alerts: unknown[] = parse(readChart('files/alerts.yaml'))
  assert.ok(alerts.length <= 10, 'at most ten alerts')
})

test('the table of processes and deploy/distributed.md say who calls whom, as the code does', async () => {
  const calls = callsInCode()
  const document = await readDocument('deploy/distributed.md')
  const documented = [...document.matchAll(/^\| `serve ([\w-]+)` \| ([^|]*) \|/gm)].map(
    ([, name = '', called = '']): [string, string[]] => [
      name,
      called.trim() === 'all services'
        ? servicesAndGateway.filter((one) => one !== 'gateway').sort()
        : [...new Set([...called.trim().split(', '), 'identity', 'tasks'])].sort(),
    ],
  )
  assert.deepEqual(Object.fromEntries(documented), calls)
  const inTable = servicesAndGateway.map((name): [string, string[]] => [
    name,
    [...(table.processes[name]?.calls ?? [])].sort(),
  ])
  assert.deepEqual(Object.fromEntries(inTable), calls)
})
