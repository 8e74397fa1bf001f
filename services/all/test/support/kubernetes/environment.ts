import type { Container, EnvVar, Manifest } from '../chart/manifests.js'
import { readEnvironment } from '../chart/product.js'
import { dataOf } from './objects.js'

/** The environment of a container, as the kubelet makes it. Every variable must be a setting of Figbase. */
export function environmentOf(container: Container, objects: Manifest[]): Record<string, string> {
  const { name, env = [], envFrom = [] } = container
  const shared = Object.assign(
    {},
    ...envFrom.map(({ configMapRef }) => dataOf(objects, 'ConfigMap', configMapRef.name)),
  )
  const own = Object.fromEntries(env.map((one) => [one.name, valueIn(one, objects)]))
  requireSettings(Object.keys(own), name)
  requireSettings(Object.keys(shared), 'all')
  return { ...shared, ...own }
}

function valueIn({ value = '', valueFrom }: EnvVar, objects: Manifest[]): string {
  if (!valueFrom) return value
  const { name, key } = valueFrom.secretKeyRef
  const found = dataOf(objects, 'Secret', name)[key]
  if (found === undefined) throw new Error(`Secret ${name} has no key ${key}`)
  return found
}

function requireSettings(names: string[], process: string): void {
  const known = readEnvironment(process).names
  const unknown = names.filter((name) => !known.has(name))
  if (unknown.length > 0) throw new Error(`unknown variables of ${process}: ${unknown}`)
}
