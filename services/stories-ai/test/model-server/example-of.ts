type Schema = {
  [name: string]: unknown
  type?: string | string[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
}

/** A minimal value that a JSON schema allows: the same one each time. */
export function exampleOf(schema: unknown, root: unknown = schema): unknown {
  const one = schema as Schema
  if (typeof one.$ref === 'string') return exampleOf(referred(root, one.$ref), root)
  if ('const' in one) return one.const
  if (Array.isArray(one.enum)) return one.enum[0]
  for (const choice of [one.anyOf, one.oneOf, one.allOf])
    if (Array.isArray(choice)) return exampleOf(choice[0], root)
  const type = Array.isArray(one.type) ? one.type[0] : one.type
  if (type === 'array') return arrayOf(one, root)
  if (type === 'string') return textOf(one)
  if (type === 'number' || type === 'integer') return numberOf(one)
  if (type === 'boolean') return false
  if (type === 'null') return null
  const names = one.required ?? []
  return Object.fromEntries(
    names.map((name) => [name, exampleOf(one.properties?.[name] ?? {}, root)]),
  )
}

const arrayOf = (schema: Schema, root: unknown) =>
  Array.from({ length: limitOf(schema, 'minItems') ?? 0 }, () =>
    exampleOf(schema.items ?? {}, root),
  )

const textOf = (schema: Schema) =>
  'text'
    .padEnd(limitOf(schema, 'minLength') ?? 0, 'x')
    .slice(0, limitOf(schema, 'maxLength') ?? undefined)

function numberOf(schema: Schema) {
  const exclusive = limitOf(schema, 'exclusiveMinimum')
  if (exclusive !== undefined) return exclusive + 1
  return Math.max(0, limitOf(schema, 'minimum') ?? 0)
}

/** For Anthropic, the SDK writes limits into the description: `min items: 2; max items: 3.` */
function limitOf(schema: Schema, name: string) {
  const value = schema[name]
  if (typeof value === 'number') return value
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  const { description = '' } = schema
  const written = new RegExp(`(?:^|; )${words}: (-?[\\d.]*\\d)`, 'm').exec(String(description))
  return written ? Number(written[1]) : undefined
}

function referred(root: unknown, reference: string) {
  let found: unknown = root
  for (const name of reference.split('/').slice(1))
    found = (found as Record<string, unknown> | undefined)?.[name]
  if (found === undefined) throw new Error(`the schema has no ${reference}`)
  return found
}
