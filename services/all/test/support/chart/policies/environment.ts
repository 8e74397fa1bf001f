import { secretNames, servicesAndGateway, table } from '../files.js'
import { componentOf, type Manifest, ofKind, type Pod } from '../manifests.js'
import { ownSettings, readEnvironment } from '../product.js'
import { environmentOf } from './environment-of.js'
import {
  containersIn,
  difference,
  find,
  forContainers,
  isServer,
  type Policy,
  type Rendered,
  type Row,
  secretsOf,
  unless,
} from './policy.js'

const exitMarginSeconds = 5
const mountPaths = /^\/(tmp|var\/run\/postgresql|tls|data|backups)$/

/** What processes are started with, compared with what their code reads. */
export const environmentPolicies: Policy[] = [
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
              .some((volume) => volume.name === name) && mountPaths.test(mountPath),
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
      ...problems,
      ...(row.container.env ?? []).flatMap(({ name }) =>
        unless(names.has(name), `${name} is not read`),
      ),
      ...Object.keys(env).flatMap((name) => unless(all.has(name), `${name} is no setting`)),
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
  forContainers('a pod has the time that a shutdown may take', (row, rendered) => {
    if (!isServer(row.pod)) return []
    const env = environmentOf(row, rendered)
    const preStop = row.container.lifecycle?.preStop?.sleep?.seconds ?? 0
    const needed =
      preStop + seconds(env.SHUTDOWN_DELAY) + seconds(env.SHUTDOWN_TIMEOUT) + exitMarginSeconds
    const { terminationGracePeriodSeconds: grace = 30 } = row.pod.spec
    return unless(grace >= needed, `${grace} s, and it needs ${needed}`)
  }),
]

const isOurs = ({ container }: Row) =>
  container.args !== undefined && container.command?.[0] === 'figbase-server'

const isDistributed = (process: string) => servicesAndGateway.includes(process)

const seconds = (text = '0s') => Number(text.replace(/s$/, ''))

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
