import { secretNames, servicesAndGateway, table } from './files.js'
import {
  type Container,
  componentOf,
  type EnvVar,
  idOf,
  type Labels,
  type Manifest,
  ofKind,
  type Pod,
  podsIn,
} from './manifests.js'
import { callsInCode, ownSettings, readEnvironment } from './product.js'

export type Values = {
  secrets?: Record<string, { existingSecret?: string; key?: string }>
  notebooks?: { enabled?: boolean; namespace?: string }
  tls?: { mode?: string; existingSecret?: string }
  networkPolicy?: { servers?: Record<string, { ports?: number[] }> }
}

/** What a policy looks at: the manifests of one set of values. */
export type Rendered = { manifests: Manifest[]; values: Values }

/** A rule for manifests; `check` resolves to what breaks it. */
export type Policy = { name: string; check(rendered: Rendered): string[] }

const notYetDeclared = /^COMPUTE_KUBERNETES_/
const problemOfNotYetDeclared = /^COMPUTE_DRIVER: 'kubernetes' is not valid/
const processLabels = ['name', 'instance', 'component'].map((key) => `app.kubernetes.io/${key}`)
const objectLabels = [...processLabels, 'app.kubernetes.io/managed-by', 'helm.sh/chart']
const exitMarginSeconds = 5
const tmpPattern = /^\/(tmp|var\/run\/postgresql|tls|data|backups)$/

type Row = { pod: Pod; container: Container; at: string }

const containersIn = ({ manifests }: Rendered): Row[] =>
  podsIn(manifests).flatMap((pod) =>
    [...(pod.spec.initContainers ?? []), ...pod.spec.containers].map((container) => ({
      pod,
      container,
      at: `${idOf(pod.owner)}: ${container.name}`,
    })),
  )

const isOurs = ({ container }: Row) =>
  container.args !== undefined && container.command?.[1]?.startsWith('/app/') === true
const isServer = ({ owner }: Pod) => owner.kind === 'Deployment'
const bundled = (component: string) => ['postgresql', 'nats', 'redis', 'minio'].includes(component)

/** A policy for each container. */
const forContainers = (
  name: string,
  check: (row: Row, rendered: Rendered) => string[],
): Policy => ({
  name,
  check: (rendered) =>
    containersIn(rendered).flatMap((row) =>
      check(row, rendered).map((problem) => `${row.at}: ${problem}`),
    ),
})

/** A policy for each pod. */
const forPods = (name: string, check: (pod: Pod, rendered: Rendered) => string[]): Policy => ({
  name,
  check: (rendered) =>
    podsIn(rendered.manifests).flatMap((pod) =>
      check(pod, rendered).map((problem) => `${idOf(pod.owner)}: ${problem}`),
    ),
})

/** A policy for each object of some kinds. */
const forKinds = (
  name: string,
  kinds: string[],
  check: (manifest: Manifest, rendered: Rendered) => string[],
): Policy => ({
  name,
  check: (rendered) =>
    ofKind(rendered.manifests, ...kinds).flatMap((manifest) =>
      check(manifest, rendered).map((problem) => `${idOf(manifest)}: ${problem}`),
    ),
})

const unless = (condition: unknown, problem: string) => (condition ? [] : [problem])

const matches = (selector: Labels, labels: Labels) =>
  Object.entries(selector).every(([key, value]) => labels[key] === value)

const find = ({ manifests }: Rendered, kind: string, name: string) =>
  manifests.find((one) => one.kind === kind && one.metadata.name === name)

/** The environment of a container: name to value, or to where its secret is. */
function environmentOf({ container }: Row, rendered: Rendered) {
  const shared = (container.envFrom ?? []).flatMap(({ configMapRef }) =>
    Object.entries(find(rendered, 'ConfigMap', configMapRef.name)?.data ?? {}),
  )
  const own = (container.env ?? []).map(({ name, value }): [string, string] => [
    name,
    value ?? standIns[name] ?? 'a secret',
  ])
  return Object.fromEntries([...shared, ...own])
}

const standIns: Record<string, string> = {
  DATABASE_URL: 'postgres://figbase:secret@db.example.org/figbase',
  DATABASE_DIRECT_URL: 'postgres://figbase:secret@db.example.org/figbase',
  NATS_URL: 'nats://figbase:secret@nats.example.org:4222',
  REDIS_URL: 'redis://:secret@redis.example.org:6379',
  SMTP_URL: 'smtp://figbase:secret@mail.example.org:587',
  OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20secret',
}

const secretsOf = (container: Container): EnvVar[] =>
  (container.env ?? []).filter(({ valueFrom }) => valueFrom)

/** The Secrets and keys that the values say exist. */
const existingSecrets = ({ values: { secrets = {}, tls } }: Rendered): Set<string> =>
  new Set([
    ...Object.entries(secrets).map(
      ([name, { existingSecret, key = name }]) => `${existingSecret}/${key}`,
    ),
    ...(tls?.mode === 'existing'
      ? servicesAndGateway.map((process) =>
          (tls.existingSecret ?? '').replace('{process}', process),
        )
      : []),
  ])

const seconds = (text = '0s') => Number(text.replace(/s$/, ''))

type Rule = { ports?: { port: number }[]; from?: Peer[]; to?: Peer[] }
type Peer = { podSelector?: { matchLabels: Labels }; namespaceSelector?: object; ipBlock?: object }

/** The components of a rule's peers. */
const peersOf = (peers: Peer[] = []) =>
  peers.flatMap(({ podSelector }) => (podSelector ? [componentOf(podSelector.matchLabels)] : []))

const sorted = (list: Iterable<string>) => [...new Set(list)].sort()
const difference = (what: string, is: string[], should: string[]) =>
  unless(
    String(sorted(is)) === String(sorted(should)),
    `${what}: ${sorted(is)}, not ${sorted(should)}`,
  )

const calls = callsInCode()
const callersOf = (process: string) =>
  Object.keys(calls).filter((caller) => calls[caller]?.includes(process))

export const policies: Policy[] = [
  forPods(
    'pods are restricted: not root, no host namespaces, no volumes of the host',
    ({ spec }) => [
      ...unless(spec.securityContext?.runAsNonRoot === true, 'runAsNonRoot'),
      ...unless(Number(spec.securityContext?.runAsUser) > 0, 'runAsUser'),
      ...unless(
        JSON.stringify(spec.securityContext?.seccompProfile) === '{"type":"RuntimeDefault"}',
        'seccompProfile',
      ),
      ...unless(!spec.hostNetwork && !spec.hostPID, 'host namespaces'),
      ...(spec.volumes ?? []).flatMap((volume) =>
        unless(!('hostPath' in volume), `volume ${volume.name}`),
      ),
    ],
  ),
  forContainers(
    'containers are restricted: no privileges, a read-only root file system',
    ({ container }) => {
      const { allowPrivilegeEscalation, readOnlyRootFilesystem, capabilities, privileged } =
        container.securityContext ?? {}
      return [
        ...unless(allowPrivilegeEscalation === false, 'allowPrivilegeEscalation'),
        ...unless(readOnlyRootFilesystem === true, 'readOnlyRootFilesystem'),
        ...unless(JSON.stringify(capabilities) === '{"drop":["ALL"]}', 'capabilities'),
        ...unless(privileged === undefined, 'privileged'),
      ]
    },
  ),
  forPods(
    'only the process that runs notebooks has a token, and each has an account',
    (pod, rendered) => {
      const mayHave =
        rendered.values.notebooks?.enabled && ['compute', 'all'].includes(componentOf(pod.labels))
      const account = find(rendered, 'ServiceAccount', pod.spec.serviceAccountName ?? '')
      return [
        ...unless((pod.spec.automountServiceAccountToken === true) === (mayHave === true), 'token'),
        ...unless(
          pod.spec.automountServiceAccountToken !== undefined,
          'automountServiceAccountToken',
        ),
        ...unless(account?.automountServiceAccountToken === false, 'serviceAccountName'),
      ]
    },
  ),
  forContainers('images have a version', ({ container: { image } }) =>
    unless(/(:[^/:]+|@sha256:[0-9a-f]{64})$/.test(image) && !image.endsWith(':latest'), image),
  ),
  forContainers(
    'containers have requests, and limits of memory and storage',
    ({ container: { resources } }) => [
      ...['cpu', 'memory', 'ephemeral-storage'].flatMap((key) =>
        unless(resources?.requests?.[key], `request ${key}`),
      ),
      ...['memory', 'ephemeral-storage'].flatMap((key) =>
        unless(resources?.limits?.[key], `limit ${key}`),
      ),
    ],
  ),
  forContainers('servers have probes, on ports that they have', ({ pod, container }) => {
    if (!['Deployment', 'StatefulSet'].includes(pod.owner.kind)) return []
    const probes = {
      startup: container.startupProbe,
      liveness: container.livenessProbe,
      readiness: container.readinessProbe,
    }
    const names = (container.ports ?? []).map(({ name }) => name)
    return Object.entries(probes).flatMap(([kind, probe]) => {
      if (!probe) return [`no ${kind} probe`]
      const { port } = probe.httpGet ?? (probe as { tcpSocket: { port: string } }).tcpSocket
      return unless(names.includes(port), `${kind} probe on port ${port}`)
    })
  }),
  forContainers(
    'processes are probed on the operations port, at paths that it has',
    ({ pod, container }) => {
      if (!isServer(pod)) return []
      const found = [container.startupProbe, container.livenessProbe, container.readinessProbe].map(
        (probe) => `${probe?.httpGet?.port}${probe?.httpGet?.path}`,
      )
      return difference('probes', found, ['operations/livez', 'operations/readyz'])
    },
  ),
  {
    name: 'objects have the recommended labels',
    check: ({ manifests }) =>
      manifests.flatMap((manifest) =>
        objectLabels.flatMap((label) =>
          unless(manifest.metadata.labels?.[label], `${idOf(manifest)}: ${label}`),
        ),
      ),
  },
  {
    name: 'names are unique',
    check: ({ manifests }) => {
      const names = manifests.map((one) => `${one.metadata.namespace ?? ''} ${idOf(one)}`)
      return names.filter((name, at) => names.indexOf(name) < at)
    },
  },
  forKinds('selectors are those of their own pods', ['Deployment', 'StatefulSet'], ({ spec }) =>
    unless(
      matches(spec.selector.matchLabels, spec.template.metadata.labels) &&
        String(Object.keys(spec.selector.matchLabels)) === String(processLabels),
      'selector',
    ),
  ),
  forKinds('Services select pods that have the port', ['Service'], ({ spec }, { manifests }) => {
    const pods = podsIn(manifests).filter(
      (pod) => isServing(pod) && matches(spec.selector, pod.labels),
    )
    const ports = pods.flatMap((pod) => pod.spec.containers).flatMap((one) => one.ports ?? [])
    return [
      ...unless(pods.length === 1, `${pods.length} pods`),
      ...(spec.ports as { targetPort: string }[]).flatMap(({ targetPort }) =>
        unless(
          ports.some(({ name }) => name === targetPort),
          `port ${targetPort}`,
        ),
      ),
    ]
  }),
  forKinds(
    'disruption budgets and autoscalers have a Deployment',
    ['PodDisruptionBudget', 'HorizontalPodAutoscaler'],
    (one, rendered) => {
      const deployment = find(rendered, 'Deployment', one.metadata.name)
      const labels: Labels = deployment?.spec.template.metadata.labels ?? {}
      if (one.kind === 'PodDisruptionBudget') {
        return unless(deployment && matches(one.spec.selector.matchLabels, labels), 'selector')
      }
      return [
        ...unless(deployment?.metadata.name === one.spec.scaleTargetRef.name, 'scaleTargetRef'),
        ...unless(deployment?.spec.replicas === undefined, 'the Deployment has replicas, too'),
        ...unless(one.spec.minReplicas <= one.spec.maxReplicas, 'minReplicas'),
      ]
    },
  ),
  forKinds(
    'Deployments replace pods without a gap, or one that owns a volume by itself',
    ['Deployment'],
    (one, rendered) => {
      const { strategy, replicas, template } = one.spec
      const ownsVolume = template.spec.volumes.some(
        (volume: object) => 'persistentVolumeClaim' in volume,
      )
      const isReplicated =
        replicas > 1 || find(rendered, 'HorizontalPodAutoscaler', one.metadata.name)
      return [
        ...unless(
          ownsVolume
            ? strategy.type === 'Recreate' && replicas === 1
            : strategy.rollingUpdate?.maxUnavailable === 0,
          'strategy',
        ),
        ...unless(
          !isReplicated || find(rendered, 'PodDisruptionBudget', one.metadata.name),
          'no disruption budget',
        ),
      ]
    },
  ),
  forPods('pods that are spread are spread among their own kind', ({ spec, labels }) =>
    (
      (spec as { topologySpreadConstraints?: { labelSelector: { matchLabels: Labels } }[] })
        .topologySpreadConstraints ?? []
    ).flatMap(({ labelSelector }) =>
      unless(matches(labelSelector.matchLabels, labels), 'labelSelector'),
    ),
  ),
  forContainers(
    'what a container refers to exists, at the time when it starts',
    (row, rendered) => {
      const { pod, container } = row
      const hookOf = (one?: Manifest) => one?.metadata.annotations?.['helm.sh/hook']
      const isThere = (one?: Manifest) =>
        one !== undefined &&
        (hookOf(pod.owner) !== hookOf(one) ? !hookOf(one) && !isBefore(pod) : true)
      const isBefore = ({ owner }: Pod) => hookOf(owner)?.startsWith('pre-') === true
      const existing = existingSecrets(rendered)
      const certificates = ofKind(rendered.manifests, 'Certificate').map(
        ({ spec }) => spec.secretName,
      )
      return [
        ...(container.envFrom ?? []).flatMap(({ configMapRef: { name } }) =>
          unless(isThere(find(rendered, 'ConfigMap', name)), `ConfigMap ${name}`),
        ),
        ...secretsOf(container).flatMap(({ valueFrom }) => {
          const { name = '', key = '' } = valueFrom?.secretKeyRef ?? {}
          const secret = find(rendered, 'Secret', name)
          const has = isThere(secret) && key in { ...secret?.data, ...secret?.stringData }
          return unless(has || existing.has(`${name}/${key}`), `Secret ${name}, key ${key}`)
        }),
        ...(pod.spec.volumes ?? []).flatMap((volume) => {
          const { secret, persistentVolumeClaim } = volume as unknown as {
            secret?: { secretName: string }
            persistentVolumeClaim?: { claimName: string }
          }
          return [
            ...(secret
              ? unless(
                  certificates.includes(secret.secretName) || existing.has(secret.secretName),
                  `Secret ${secret.secretName}`,
                )
              : []),
            ...(persistentVolumeClaim
              ? unless(
                  find(rendered, 'PersistentVolumeClaim', persistentVolumeClaim.claimName),
                  'PersistentVolumeClaim',
                )
              : []),
          ]
        }),
        ...unless(
          isThere(find(rendered, 'ServiceAccount', pod.spec.serviceAccountName ?? '')),
          'ServiceAccount',
        ),
        ...(container.volumeMounts ?? []).flatMap(({ name, mountPath }) =>
          unless(
            (pod.spec.volumes ?? [])
              .concat(
                (pod.owner.spec?.volumeClaimTemplates ?? []).map(
                  ({ metadata }: Manifest) => metadata,
                ),
              )
              .some((volume) => volume.name === name) && tmpPattern.test(mountPath),
            `volume ${name}`,
          ),
        ),
      ]
    },
  ),
  forContainers('ports are those that the code opens, for all addresses', (row, rendered) => {
    if (!isServer(row.pod)) return []
    const env = environmentOf(row, rendered)
    const { names } = readEnvironment(row.container.name, env)
    return (row.container.ports ?? []).flatMap(({ name, containerPort }) => {
      const { setting = '', host = '' } = table.ports[name] ?? {}
      return [
        ...unless(
          names.has(setting) && env[setting] === String(containerPort),
          `port ${name}: ${setting}`,
        ),
        ...unless(names.has(host) && env[host] === '0.0.0.0', `port ${name}: ${host}`),
      ]
    })
  }),
  forContainers('the environment is one that the process accepts, and reads', (row, rendered) => {
    if (!isOurs(row)) return []
    const env = environmentOf(row, rendered)
    // Files of the cluster.
    const readable = Object.fromEntries(
      Object.entries(env).filter(([name]) => !name.startsWith('RPC_TLS_')),
    )
    const process = componentOf(row.pod.labels)
    const { names, problems } = readEnvironment(process, {
      ...(isDistributed(process)
        ? {}
        : { DATABASE_URL: 'postgres://built-in', FIGBASE_SECRET_KEY: 'of the data directory' }),
      ...readable,
    })
    const all = readEnvironment('all').names
    return [
      ...problems.filter((problem) => !problemOfNotYetDeclared.test(problem)),
      ...(row.container.env ?? []).flatMap(({ name }) =>
        unless(names.has(name) || notYetDeclared.test(name), `${name} is not read`),
      ),
      ...Object.keys(env).flatMap((name) =>
        unless(all.has(name) || notYetDeclared.test(name), `${name} is no setting`),
      ),
    ]
  }),
  forContainers('a secret is mounted where it is read, and nowhere else', (row, rendered) => {
    if (!isServer(row.pod)) return []
    const process = row.container.name
    const mounted = secretsOf(row.container).map(({ name }) => name)
    const given = new Set(
      containersIn(rendered).flatMap(({ container }) =>
        secretsOf(container).map(({ name }) => name),
      ),
    )
    const own = process === 'all' ? new Set(secretNames) : ownSettings(process)
    const { servers = [] } = table.processes[process] ?? {}
    const expected = secretNames.filter((name) => {
      const ofServer = servers.some((server) => table.servers[server]?.secrets.includes(name))
      return (
        given.has(name) && (ofServer || own.has(name) || table.secrets[name]?.includes(process))
      )
    })
    return difference('secrets', mounted, expected)
  }),
  {
    name: 'no secret is in a ConfigMap or in an argument',
    check: ({ manifests }) => {
      const values = ofKind(manifests, 'Secret').flatMap(({ data = {}, stringData = {} }) => [
        ...Object.values(stringData),
        ...Object.values(data).map((text) => Buffer.from(text, 'base64').toString()),
      ])
      const long = values.filter((value) => value.length > 12)
      return manifests
        .filter(({ kind }) => kind !== 'Secret')
        .flatMap((manifest) => {
          const text = JSON.stringify(manifest)
          return unless(!long.some((value) => text.includes(value)), idOf(manifest))
        })
    },
  },
  forContainers('a pod has the time that a shutdown may take', (row, rendered) => {
    if (!isServer(row.pod)) return []
    const env = environmentOf(row, rendered)
    const preStop = row.container.lifecycle?.preStop?.sleep?.seconds ?? 0
    const needed =
      preStop + seconds(env.SHUTDOWN_DELAY) + seconds(env.SHUTDOWN_TIMEOUT) + exitMarginSeconds
    const { terminationGracePeriodSeconds: grace = 30 } = row.pod.spec
    return unless(grace >= needed, `${grace} s, and it needs ${needed}`)
  }),
  {
    name: 'each pod has one NetworkPolicy, for both directions',
    check: ({ manifests }) => {
      const all = ofKind(manifests, 'NetworkPolicy')
      return podsIn(manifests).flatMap(({ owner, labels }) => {
        const own = all.filter(({ spec }) => matches(spec.podSelector.matchLabels, labels))
        return unless(
          own.length === 1 && String(own[0]?.spec.policyTypes) === 'Ingress,Egress',
          `${idOf(owner)}: ${own.map(idOf)}`,
        )
      })
    },
  },
  forKinds(
    'NetworkPolicies permit the calls in the code, and no others',
    ['NetworkPolicy'],
    ({ spec }) => {
      const process = componentOf(spec.podSelector.matchLabels)
      const rpcPeers = (rules: Rule[] = [], side: 'from' | 'to') =>
        rules
          .flatMap((rule) => peersOf(rule[side]))
          .filter((peer) => servicesAndGateway.includes(peer))
      if (bundled(process)) {
        const users = Object.keys(table.processes).filter((name) =>
          table.processes[name]?.servers.some(
            (server) => table.servers[server]?.bundled === process,
          ),
        )
        return difference(
          'users',
          spec.ingress.flatMap(({ from }: Rule) => peersOf(from)),
          users,
        )
      }
      const isTest = process === 'test'
      return [
        ...difference(
          'calls',
          rpcPeers(spec.egress, 'to'),
          isTest ? rpcPeers(spec.egress, 'to') : (calls[process] ?? []),
        ),
        ...difference(
          'callers',
          rpcPeers(spec.ingress, 'from'),
          servicesAndGateway.includes(process) ? callersOf(process) : [],
        ),
        ...spec.egress.flatMap(({ ports }: Rule) => unless(ports?.length, 'egress to all ports')),
        ...spec.ingress.flatMap(({ ports }: Rule) => unless(ports?.length, 'ingress to all ports')),
      ]
    },
  ),
  forContainers(
    'NetworkPolicies permit the servers that a process uses, and no others',
    (row, rendered) => {
      if (!isServer(row.pod)) return []
      const { values } = rendered
      const process = row.container.name
      const env = environmentOf(row, rendered)
      const isUsed = (when: string) =>
        when === '' || (when === 'notebooks' ? values.notebooks?.enabled === true : when in env)
      const used = (table.processes[process]?.servers ?? []).filter((name) =>
        isUsed(table.servers[name]?.when ?? ''),
      )
      const expected = used.map((name) =>
        String(values.networkPolicy?.servers?.[name]?.ports ?? table.servers[name]?.ports),
      )
      const policy = ofKind(rendered.manifests, 'NetworkPolicy').find(({ spec }) =>
        matches(spec.podSelector.matchLabels, row.pod.labels),
      )
      const rules: Rule[] = policy?.spec.egress ?? []
      const permitted = rules
        .filter((rule) => !peersOf(rule.to).some((peer) => servicesAndGateway.includes(peer)))
        .map(({ ports = [] }) => String([...new Set(ports.map(({ port }) => port))]))
      return difference('ports of servers', permitted, ['53', ...expected])
    },
  ),
  forKinds(
    'addresses of the services are those of the Services that the code calls',
    ['Deployment'],
    ({ spec }, rendered) => {
      const [container] = spec.template.spec.containers as Container[]
      const urls = (container?.env ?? []).filter(
        ({ name, value }) => /^[A-Z_]+_URL$/.test(name) && value?.includes('.svc:'),
      )
      const scheme =
        rendered.values.tls?.mode && rendered.values.tls.mode !== 'off' ? 'https:' : 'http:'
      const called = urls.map(({ name }) =>
        name.replace('_URL', '').toLowerCase().replaceAll('_', '-'),
      )
      return [
        ...difference('addresses', called, calls[container?.name ?? ''] ?? []),
        ...urls.flatMap(({ name, value = '' }) => {
          const { protocol, hostname, port } = new URL(value)
          const service = find(rendered, 'Service', hostname.split('.')[0] ?? '')
          const hasPort = service?.spec.ports.some(
            (one: { port: number }) => String(one.port) === port,
          )
          return unless(
            protocol === scheme && service?.spec.clusterIP === 'None' && hasPort,
            `${name}: ${value}`,
          )
        }),
      ]
    },
  ),
  {
    name: 'permissions are those of compute, in the namespace of notebooks',
    check: ({ manifests, values }) => [
      ...ofKind(manifests, 'ClusterRole', 'ClusterRoleBinding').map(idOf),
      ...ofKind(manifests, 'Role', 'RoleBinding').flatMap((one) =>
        unless(
          one.metadata.namespace === (values.notebooks?.namespace ?? 'figbase-notebooks') &&
            !JSON.stringify(one).includes('"*"'),
          idOf(one),
        ),
      ),
    ],
  },
  forKinds('jobs end, and do not overlap', ['Job', 'CronJob'], ({ kind, spec }) =>
    kind === 'Job'
      ? unless(spec.backoffLimit >= 0 && spec.activeDeadlineSeconds > 0, 'limits')
      : unless(
          spec.concurrencyPolicy === 'Forbid' && spec.startingDeadlineSeconds > 0,
          'concurrency',
        ),
  ),
  forKinds('data outlives the release', ['PersistentVolumeClaim'], ({ metadata }) =>
    unless(metadata.annotations?.['helm.sh/resource-policy'] === 'keep', 'resource-policy'),
  ),
  forPods('temporary files are limited', ({ spec }) =>
    (spec.volumes ?? []).flatMap((volume) => {
      const { emptyDir } = volume as { emptyDir?: { sizeLimit?: string } }
      return unless(!emptyDir || emptyDir.sizeLimit, `volume ${volume.name}`)
    }),
  ),
]

const isDistributed = (process: string) => servicesAndGateway.includes(process)

const isServing = ({ owner }: Pod) => ['Deployment', 'StatefulSet'].includes(owner.kind)
