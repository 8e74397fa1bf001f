import {
  type Container,
  type EnvVar,
  idOf,
  type Labels,
  type Manifest,
  ofKind,
  type Pod,
  podsIn,
} from '../manifests.js'

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

export type Row = { pod: Pod; container: Container; at: string }

export const containersIn = ({ manifests }: Rendered): Row[] =>
  podsIn(manifests).flatMap((pod) =>
    [...(pod.spec.initContainers ?? []), ...pod.spec.containers].map((container) => ({
      pod,
      container,
      at: `${idOf(pod.owner)}: ${container.name}`,
    })),
  )

export const isServer = ({ owner }: Pod): boolean => owner.kind === 'Deployment'

/** A policy for each container. */
export const forContainers = (
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
export const forPods = (
  name: string,
  check: (pod: Pod, rendered: Rendered) => string[],
): Policy => ({
  name,
  check: (rendered) =>
    podsIn(rendered.manifests).flatMap((pod) =>
      check(pod, rendered).map((problem) => `${idOf(pod.owner)}: ${problem}`),
    ),
})

/** A policy for each object of some kinds. */
export const forKinds = (
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

export const unless = (condition: unknown, problem: string) => (condition ? [] : [problem])

export const matches = (selector: Labels, labels: Labels) =>
  Object.entries(selector).every(([key, value]) => labels[key] === value)

export const find = ({ manifests }: Rendered, kind: string, name: string) =>
  manifests.find((one) => one.kind === kind && one.metadata.name === name)

const sorted = (list: Iterable<string>) => [...new Set(list)].sort()

/** Compares two sets of texts. */
export const difference = (what: string, is: string[], should: string[]) =>
  unless(
    String(sorted(is)) === String(sorted(should)),
    `${what}: ${sorted(is)}, not ${sorted(should)}`,
  )

export const secretsOf = (container: Container): EnvVar[] =>
  (container.env ?? []).filter(({ valueFrom }) => valueFrom)
