import { z } from 'zod'
import type { Endpoint } from '../endpoint.js'
import { parameters as descriptions } from './descriptions/index.js'
import type { Json } from './json.js'
import type { Schemas } from './schemas.js'

type Parameter = Json & { name: string; in: 'path' | 'query' | 'header' }

/** The parameters in the query and the headers of a route. Equal parameters of several routes are one component. */
export const operationParameters = (
  endpoint: Endpoint,
  schemas: Schemas,
  components: Json,
): Json[] =>
  [
    ...parametersIn('query', endpoint.query, schemas),
    ...parametersIn('header', endpoint.requestHeaders, schemas),
  ].map((parameter) => shared(parameter, components))

/** A reference to the component. Parameters with the same name that differ are numbered. */
function shared(parameter: Parameter, components: Json): Json {
  const { name } = parameter
  const text = JSON.stringify(parameter)
  for (let n = 1; ; n++) {
    const key = n === 1 ? name : `${name}.${n}`
    components[key] ??= parameter
    if (JSON.stringify(components[key]) === text) return { $ref: `#/components/parameters/${key}` }
  }
}

/** The parameters in the path that are not text. */
const integers: Record<string, Json> = {
  number: { type: 'integer', minimum: 1 },
  size: { type: 'integer', minimum: 1, maximum: 4096 },
}

/** The parameters in the path, which all methods of the path share. */
export const pathParameters = ({ path }: Endpoint, components: Json): Json[] =>
  [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => {
    const description = descriptions[name]
    const schema = integers[name] ?? { type: 'string' }
    return shared({ name, in: 'path', required: true, description, schema }, components)
  })

function parametersIn(
  place: 'query' | 'header',
  schema: z.ZodType | undefined,
  schemas: Schemas,
): Parameter[] {
  if (!(schema instanceof z.ZodObject)) return []
  return Object.entries<z.ZodType>(schema.shape).map(([name, member]) => {
    const { description = descriptions[name], ...rest } = schemas.schemaOf(member, 'input')
    return {
      name,
      in: place,
      ...(isRequired(member) && { required: true }),
      description,
      schema: rest,
    }
  })
}

const isRequired = (member: z.ZodType) => !member.safeParse(undefined).success
