import { z } from 'zod'

/** Names of members. */
export type Fields = Set<string>

/** `fields` of a query: names of members of the objects that these schemas describe, separated by commas. */
export function fieldsQuery(schemas: z.ZodType[]) {
  const known = new Set(schemas.flatMap(memberNames))
  return z
    .string()
    .transform((text, ctx): Fields => {
      const names = text.split(',').map((name) => name.trim())
      const unknown = names.find((name) => !known.has(name))
      if (unknown !== undefined) {
        ctx.addIssue(`must have names of members, separated by commas: ${[...known].join(', ')}`)
      }
      return new Set(names)
    })
    .optional()
    .meta({ description: 'The members to show, separated by commas. Without it, all are shown.' })
}

/** The object with these members only. */
export function onlyFields(object: unknown, fields: Fields | undefined): unknown {
  if (!fields || typeof object !== 'object' || object === null) return object
  return Object.fromEntries(Object.entries(object).filter(([name]) => fields.has(name)))
}

function memberNames(schema: z.ZodType): string[] {
  if (schema instanceof z.ZodObject) return Object.keys(schema.shape)
  if (schema instanceof z.ZodArray) return memberNames(schema.element as z.ZodType)
  if (schema instanceof z.ZodUnion) {
    return schema.options.flatMap((option) => memberNames(option as z.ZodType))
  }
  return []
}
