import { componentOf, idOf, ofKind } from '../manifests.js'
import { find, forContainers, forPods, type Policy, unless } from './policy.js'

/** What a pod may do. */
export const securityPolicies: Policy[] = [
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
  forPods('temporary files are limited', ({ spec }) =>
    (spec.volumes ?? []).flatMap((volume) => {
      const { emptyDir } = volume as { emptyDir?: { sizeLimit?: string } }
      return unless(!emptyDir || emptyDir.sizeLimit, `volume ${volume.name}`)
    }),
  ),
]
