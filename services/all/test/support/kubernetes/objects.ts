import { idOf, type Labels, type Manifest } from '../chart/manifests.js'

type Data = Record<string, string>

/** The content of a ConfigMap or a Secret. */
export function dataOf(objects: Manifest[], kind: 'ConfigMap' | 'Secret', name: string): Data {
  const found = objects.find((one) => idOf(one) === `${kind} ${name}`)
  if (!found) throw new Error(`there is no ${kind} ${name}`)
  const { data = {}, stringData = {} } = found
  return kind === 'Secret' ? { ...decoded(data), ...stringData } : data
}

const decoded = (data: Data): Data =>
  Object.fromEntries(
    Object.entries(data).map(([key, text]) => [key, Buffer.from(text, 'base64').toString()]),
  )

export const secretOf = (name: string, stringData: Data): Manifest => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name },
  stringData,
})

export const isSelected = (selector: Labels, labels: Labels): boolean =>
  Object.entries(selector).every(([name, value]) => labels[name] === value)
