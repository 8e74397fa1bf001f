import type { Manifest } from '../chart/manifests.js'

type Data = Record<string, string>

/** The content of a ConfigMap or a Secret; undefined if there is no such object. */
export function dataOf(objects: Manifest[], kind: string, name: string): Data | undefined {
  const found = objects.find((one) => one.kind === kind && one.metadata.name === name)
  if (!found) return undefined
  const { data = {}, stringData = {} } = found
  return kind === 'Secret' ? { ...decoded(data), ...stringData } : data
}

const decoded = (data: Data): Data =>
  Object.fromEntries(
    Object.entries(data).map(([key, text]) => [key, Buffer.from(text, 'base64').toString()]),
  )

/** A Secret that is not of the chart. */
export const secretOf = (name: string, stringData: Data): Manifest => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name },
  stringData,
})

export const matches = (selector: Data, labels: Data): boolean =>
  Object.entries(selector).every(([name, value]) => labels[name] === value)
