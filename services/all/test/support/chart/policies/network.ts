import { servicesAndGateway, table } from '../files.js'
import { type Container, componentOf, idOf, type Labels, ofKind, podsIn } from '../manifests.js'
import { callsInCode } from '../product.js'
import { environmentOf } from './environment-of.js'
import {
  difference,
  find,
  forContainers,
  forKinds,
  isServer,
  matches,
  type Policy,
  unless,
} from './policy.js'

type Rule = { ports?: { port: number }[]; from?: Peer[]; to?: Peer[] }
type Peer = { podSelector?: { matchLabels: Labels }; namespaceSelector?: object; ipBlock?: object }

const calls = callsInCode()

/** Who may talk to whom, compared with the calls in the code. */
export const networkPolicies: Policy[] = [
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
]

const bundled = (component: string) => ['postgresql', 'nats', 'redis', 'minio'].includes(component)

const callersOf = (process: string) =>
  Object.keys(calls).filter((caller) => calls[caller]?.includes(process))

/** The components of a rule's peers. */
const peersOf = (peers: Peer[] = []) =>
  peers.flatMap(({ podSelector }) => (podSelector ? [componentOf(podSelector.matchLabels)] : []))
