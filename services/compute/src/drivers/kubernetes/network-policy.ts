import type { Manifest } from './objects.js'
import type { Destination, Peer } from './peers.js'
import type { KubernetesSettings } from './settings.js'

type Spec = NonNullable<Manifest<'NetworkPolicy'>['spec']>

/** Nothing connects to the pods but the clients, and they connect to nothing but the destinations and DNS. */
export const networkPolicySpec = (
  matchLabels: Record<string, string>,
  { clients, destinations, dns, port }: KubernetesSettings,
): Spec => ({
  podSelector: { matchLabels },
  policyTypes: ['Ingress', 'Egress'],
  ingress: [{ from: clients.map(toPeer), ports: [{ protocol: 'TCP', port }] }],
  egress: [
    ...destinations.map((one) => ruleTo(one, ['TCP'])),
    ...dns.map((one) => ruleTo(one, ['UDP', 'TCP'])),
  ],
})

const ruleTo = (destination: Destination, protocols: string[]) => ({
  to: [toPeer(destination)],
  ports: protocols.map((protocol) => ({ protocol, port: destination.port })),
})

const toPeer = (peer: Peer) =>
  'cidr' in peer
    ? { ipBlock: { cidr: peer.cidr } }
    : {
        namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': peer.namespace } },
        podSelector: { matchLabels: peer.labels },
      }
