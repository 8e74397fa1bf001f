import { randomUUID } from 'node:crypto'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { installTools } from '@figbase/kit/testing/tools'

interface Item {
  name: string
  request?: Request
  item?: Item[]
}

interface Request {
  url: { host: string[]; query: unknown[] }
  header: { key: string; value: string }[]
}

export interface Snippets {
  /** A program in the language that calls the operation with this summary. */
  generate(summary: string, call: { token?: string; body?: object }): Promise<string>
}

/** The generators fill in other values for these. */
const keyHeader = 'Idempotency-Key'
const given = ['Content-Type', keyHeader]
const newKey = () => ({ key: keyHeader, value: randomUUID() })
const json = { key: 'Content-Type', value: 'application/json' }

type Done<T> = (error: Error | null, result: T) => void

interface Converter {
  convert(input: object, options: object, done: Done<{ output?: { data: unknown }[] }>): void
}

interface Generators {
  convert(
    language: string,
    variant: string,
    request: object,
    options: object,
    done: Done<string>,
  ): void
}

interface Sdk {
  Request: new (request: object) => object
}

type Language = [name: string, variant: string]

/** Generates programs in a language with the generators of Postman, which read the OpenAPI document. */
export async function snippetsIn(
  [name, variant]: Language,
  document: object,
  origin: string,
): Promise<Snippets> {
  const require = createRequire(join(await installTools('test/openapi-tools'), 'package.json'))
  const converter: Converter = require('openapi-to-postmanv2')
  const generators: Generators = require('postman-code-generators')
  const sdk: Sdk = require('postman-collection')
  const input = { type: 'string', data: JSON.stringify(document) }
  const convert = promisify(converter.convert)
  const { output = [] } = await convert(input, { folderStrategy: 'Tags' })
  const collection = output[0]?.data as Item
  const generate = promisify(generators.convert)
  return {
    generate(summary, { token, body }) {
      const request = find(collection, summary)
      if (!request) throw new Error(`no request is called ${summary}`)
      const { url, header } = request
      const filled = {
        ...request,
        url: { ...url, host: [origin], query: [] },
        header: [
          ...header.filter(({ key }) => !given.includes(key)),
          json,
          ...header.filter(({ key }) => key === keyHeader).map(newKey),
          ...(token ? [{ key: 'Authorization', value: `Bearer ${token}` }] : []),
        ],
        auth: null,
        ...(body && { body: { mode: 'raw', raw: JSON.stringify(body) } }),
      }
      return generate(name, variant, new sdk.Request(filled), {})
    },
  }
}

function find({ item = [] }: Item, name: string): Request | undefined {
  for (const one of item) {
    const found = one.request && one.name === name ? one.request : find(one, name)
    if (found) return found
  }
  return undefined
}
