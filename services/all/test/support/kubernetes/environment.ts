import type { Container, Manifest } from '../chart/manifests.js'
import { dataOf } from './objects.js'

/** What `fieldRef` can name. */
export type PodFields = Record<string, string>

type KeyRef = { name: string; key: string; optional?: boolean }
type From = {
  secretKeyRef?: KeyRef
  configMapKeyRef?: KeyRef
  fieldRef?: { fieldPath: string }
}
type Variable = { name: string; value?: string; valueFrom?: From }
type Source = {
  prefix?: string
  configMapRef?: { name: string; optional?: boolean }
  secretRef?: { name: string; optional?: boolean }
}

/**
 * The environment of a container as the kubelet builds it: `envFrom`, then `env`, in which `$(NAME)` is a variable before.
 * Throws an Error that names the container if something is missing.
 */
export function environmentOf(
  { name: container, env = [], envFrom = [] }: Container,
  objects: Manifest[],
  fields: PodFields,
): Record<string, string> {
  const made: Record<string, string> = {}
  const missing = (what: string) => new Error(`container ${container}: ${what}`)
  const keysOf = (kind: string, name: string, isOptional = false) => {
    const data = dataOf(objects, kind, name)
    if (!data && !isOptional) throw missing(`there is no ${kind} ${name}`)
    return data ?? {}
  }
  const keyOf = (kind: string, { name, key, optional }: KeyRef) => {
    const value = keysOf(kind, name, optional)[key]
    if (value === undefined && !optional) throw missing(`${kind} ${name} has no key ${key}`)
    return value
  }
  const resolve = ({ name, value = '', valueFrom }: Variable): string | undefined => {
    if (!valueFrom) return expand(value, made)
    const { secretKeyRef, configMapKeyRef, fieldRef } = valueFrom
    if (secretKeyRef) return keyOf('Secret', secretKeyRef)
    if (configMapKeyRef) return keyOf('ConfigMap', configMapKeyRef)
    const field = fields[fieldRef?.fieldPath ?? '']
    if (field === undefined) throw missing(`unknown source of the variable ${name}`)
    return field
  }
  for (const { prefix = '', configMapRef, secretRef } of envFrom as Source[]) {
    const data = {
      ...(configMapRef && keysOf('ConfigMap', configMapRef.name, configMapRef.optional)),
      ...(secretRef && keysOf('Secret', secretRef.name, secretRef.optional)),
    }
    for (const [name, value] of Object.entries(data)) made[`${prefix}${name}`] = value
  }
  for (const variable of env as Variable[]) {
    const value = resolve(variable)
    if (value !== undefined) made[variable.name] = value
  }
  return made
}

/** Replaces `$(NAME)`; `$$(NAME)` stands for the text `$(NAME)`, and unknown names stay. */
export const expand = (text: string, env: Record<string, string>): string =>
  text.replace(/\$\$|\$\(([A-Za-z_][\w.-]*)\)/g, (whole, name?: string) =>
    name === undefined ? '$' : (env[name] ?? whole),
  )
