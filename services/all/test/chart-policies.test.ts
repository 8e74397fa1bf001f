import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { before, test } from 'node:test'
import { parse } from 'yaml'
import { getHelm, helmSkipReason } from './support/chart/helm.js'
import { type Manifest, podsIn, render, valueSets, valuesFile } from './support/chart/manifests.js'
import { policies, type Rendered } from './support/chart/policies/index.js'

const skip = await helmSkipReason()

let text = ''
let values = {}

before(async () => {
  if (skip) return
  const [file = ''] = valuesFile('everything')
  values = parse(readFileSync(file, 'utf8'))
  text = JSON.stringify(await render(await getHelm(), 'everything'))
})

test('every set of values complies with all policies', { skip }, async (t) => {
  const helm = await getHelm()
  const problems: string[] = []
  let pods = 0
  for (const set of ['default', ...valueSets] as const) {
    const own = valuesFile(set).map((file) => parse(readFileSync(file, 'utf8')))[0] ?? {}
    const rendered = { manifests: await render(helm, set), values: own }
    pods += podsIn(rendered.manifests).length
    for (const { name, check } of policies) {
      problems.push(...check(rendered).map((problem) => `${set}: ${name}: ${problem}`))
    }
  }
  assert.deepEqual(problems, [])
  t.diagnostic(
    `${policies.length} policies, ${valueSets.length + 1} sets of values, ${pods} kinds of pods`,
  )
})

type Change = (find: (id: string) => Manifest, all: Manifest[]) => void

const podOf = (manifest: Manifest) => {
  const [pod] = podsIn([manifest])
  assert.ok(pod)
  return pod
}
const containerOf = (manifest: Manifest) => {
  const [container] = podOf(manifest).spec.containers
  assert.ok(container)
  return container
}
const envOf = (manifest: Manifest, name: string) => {
  const found = containerOf(manifest).env?.find((one) => one.name === name)
  assert.ok(found, name)
  return found
}

/** For each policy, by the beginning of its name, a change that breaks it. */
const broken: Record<string, Change> = {
  'pods are restricted': (find) => {
    podOf(find('Deployment lab-tasks')).spec.securityContext = { runAsUser: 0 }
  },
  'containers are restricted': (find) => {
    containerOf(find('CronJob lab-backup')).securityContext = {}
  },
  'only the process that runs notebooks has a token': (find) => {
    podOf(find('Deployment lab-tasks')).spec.automountServiceAccountToken = true
  },
  'images have a version': (find) => {
    containerOf(find('Deployment lab-tasks')).image = 'figbase:latest'
  },
  'containers have requests': (find) => {
    containerOf(find('Pod lab-test')).resources = { requests: { cpu: '1' } }
  },
  'servers have probes': (find) => {
    containerOf(find('Deployment lab-tasks')).livenessProbe = {
      httpGet: { path: '/livez', port: 'metrics' },
    }
  },
  'processes are probed': (find) => {
    containerOf(find('Deployment lab-tasks')).readinessProbe = {
      httpGet: { path: '/healthz', port: 'operations' },
    }
  },
  'objects have the recommended labels': (find) => {
    delete find('Service lab').metadata.labels
  },
  'names are unique': (find, all) => void all.push(find('Service lab')),
  'selectors are those of their own pods': (find) => {
    find('Deployment lab-tasks').spec.selector.matchLabels.version = '1'
  },
  'Services select pods': (find) => {
    find('Service lab-tasks').spec.ports[0].targetPort = 'grpc'
  },
  'disruption budgets and autoscalers': (find) => {
    find('Deployment lab-gateway').spec.replicas = 2
  },
  'Deployments replace pods without a gap': (find, all) => {
    all.splice(all.indexOf(find('PodDisruptionBudget lab-search')), 1)
  },
  'pods that are spread': (find) => {
    const { template } = find('Deployment lab-tasks').spec
    template.spec.topologySpreadConstraints[0].labelSelector.matchLabels.app = 'x'
  },
  'what a container refers to exists': (find) => {
    delete find('Secret lab-migrate').data?.DATABASE_URL
  },
  'ports are those that the code opens': (find) => {
    envOf(find('Deployment lab-tasks'), 'RPC_PORT').value = '7001'
  },
  'the environment is one that the process accepts': (find) => {
    Object.assign(find('ConfigMap lab').data ?? {}, { SHUTDOWN_TIMEOUT: '30 seconds' })
  },
  'a secret is mounted where it is read': (find) => {
    containerOf(find('Deployment lab-tasks')).env?.push(
      envOf(find('Deployment lab-stories-ai'), 'AI_API_KEY'),
    )
  },
  'no secret is in a ConfigMap': (find) => {
    const key = Buffer.from(find('Secret lab').data?.FIGBASE_SECRET_KEY ?? '', 'base64').toString()
    Object.assign(find('ConfigMap lab').data ?? {}, { ENVIRONMENT: `lab ${key}` })
  },
  'a pod has the time that a shutdown may take': (find) => {
    podOf(find('Deployment lab-tasks')).spec.terminationGracePeriodSeconds = 30
  },
  'each pod has one NetworkPolicy': (find, all) => {
    all.splice(all.indexOf(find('NetworkPolicy lab-tasks')), 1)
  },
  'NetworkPolicies permit the calls in the code': (find) => {
    find('NetworkPolicy lab-tasks').spec.ingress[0].from.pop()
  },
  'NetworkPolicies permit the servers': (find) => {
    find('NetworkPolicy lab-tasks').spec.egress.push({ ports: [{ port: 443 }] })
  },
  'addresses of the services': (find) => {
    envOf(find('Deployment lab-search'), 'COMMENTS_URL').value = 'http://lab-comments.lab.svc:7000'
  },
  'permissions are those of compute': (find) => {
    find('Role lab-notebooks').rules[0].verbs = ['*']
  },
  'jobs end': (find) => {
    find('CronJob lab-fsck').spec.concurrencyPolicy = 'Allow'
  },
  'data outlives the release': (find) => {
    delete find('PersistentVolumeClaim lab-backups').metadata.annotations
  },
  'temporary files are limited': (find) => {
    podOf(find('Deployment lab-tasks')).spec.volumes = [{ name: 'tmp', emptyDir: {} }]
  },
}

for (const policy of policies) {
  test(`a change is detected by: ${policy.name}`, { skip }, () => {
    const [key = ''] = Object.keys(broken).filter((name) => policy.name.startsWith(name))
    const change = broken[key]
    assert.ok(change, 'add a change that breaks this policy')
    const rendered: Rendered = { manifests: JSON.parse(text), values }
    assert.deepEqual(policy.check(rendered), [])
    const find = (id: string) => {
      const [kind, name] = id.split(' ')
      const found = rendered.manifests.find(
        (one) => one.kind === kind && one.metadata.name === name,
      )
      assert.ok(found, id)
      return found
    }
    change(find, rendered.manifests)
    assert.notDeepEqual(policy.check(rendered), [])
  })
}
