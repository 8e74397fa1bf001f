import { idOf, type Labels, type Pod, podsIn } from '../manifests.js'
import {
  difference,
  find,
  forContainers,
  forKinds,
  forPods,
  isServer,
  matches,
  type Policy,
  unless,
} from './policy.js'

const processLabels = ['name', 'instance', 'component'].map((key) => `app.kubernetes.io/${key}`)
const objectLabels = [...processLabels, 'app.kubernetes.io/managed-by', 'helm.sh/chart']

/** How objects fit together. */
export const objectPolicies: Policy[] = [
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
]

const isServing = ({ owner }: Pod) => ['Deployment', 'StatefulSet'].includes(owner.kind)
