import * as certificates from '@kubernetes-models/cert-manager'
import * as gateways from '@kubernetes-models/gateway-api'
import * as monitoring from '@kubernetes-models/prometheus-operator'
import * as kubernetes from 'kubernetes-models'
import type { Manifest } from './manifests.js'

type Validator = { validate(): void }
type Model = { apiVersion: string; kind: string; prototype: Validator }

const models = new Map(
  [kubernetes, certificates, gateways, monitoring]
    .flatMap(modelsIn)
    .map((model) => [`${model.apiVersion} ${model.kind}`, model]),
)

/** The classes in the namespaces that a package exports. */
function modelsIn(exported: object): Model[] {
  return Object.values(exported).flatMap((value) => {
    if (typeof value === 'function' && 'kind' in value && 'apiVersion' in value)
      return [value as Model]
    return typeof value === 'object' && value !== null ? modelsIn(value) : []
  })
}

/** Problems of a manifest by the schema of its kind; unknown fields are problems, too. */
export function problemsOf(manifest: Manifest): string[] {
  const model = models.get(`${manifest.apiVersion} ${manifest.kind}`)
  if (!model) return [`no schema for ${manifest.apiVersion} ${manifest.kind}`]
  const { data, unread } = recorded(manifest)
  try {
    // Of the class only, because a constructor reads all fields.
    model.prototype.validate.call(data)
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  }
  return unread().map((path) => `unknown field ${path}`)
}

/**
 * The compiled validators accept unknown fields, but they read each field that they know: a field that was not read is
 * unknown.
 */
function recorded(root: object): { data: object; unread(): string[] } {
  const read = new Set<string>()
  const proxies = new WeakMap<object, object>()
  const wrap = (value: object, path: string): object => {
    const known = proxies.get(value)
    if (known) return known
    const proxy = new Proxy(value, {
      get(target, key, receiver) {
        const inner = Reflect.get(target, key, receiver)
        if (typeof key === 'symbol' || !Object.hasOwn(target, key)) return inner
        const at = `${path}/${key}`
        read.add(at)
        return typeof inner === 'object' && inner !== null ? wrap(inner, at) : inner
      },
    })
    proxies.set(value, proxy)
    return proxy
  }
  const paths = (value: unknown, path: string): string[] =>
    typeof value !== 'object' || value === null
      ? []
      : Object.entries(value).flatMap(([key, inner]) => [
          `${path}/${key}`,
          ...paths(inner, `${path}/${key}`),
        ])
  return {
    data: wrap(root, ''),
    unread: () => paths(root, '').filter((path) => !read.has(path)),
  }
}
