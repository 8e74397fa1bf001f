import { Failure } from './failure.js'
import { parseFilter } from './filter.js'
import { type Parameters, search } from './search.js'
import { type Action, type Collection, describe, type Field, importLines } from './store.js'

export type Request = {
  method: string
  path: string
  query: Record<string, string>
  /** JSON as a value, other bodies as text. */
  body: unknown
}

export type Answer = { status: number; body: unknown }

const searchesMax = 50
const actions: readonly string[] = ['create', 'update', 'upsert', 'emplace'] satisfies Action[]

/** The collections, aliases and documents of a server. */
export class TypesenseState {
  readonly #collections = new Map<string, Collection>()
  readonly #aliases = new Map<string, string>()

  /** Throws a Failure if the answer is not a success. */
  answer({ method, path, query, body }: Request): Answer {
    const [root = '', name = '', part = '', action = ''] = path.slice(1).split('/')
    switch (`${method} ${[root, name && '*', part, action].filter(Boolean).join('/')}`) {
      case 'GET health':
        return ok({ ok: true })
      case 'POST collections':
        return this.#create(body as { name: string; fields: Field[] })
      case 'GET collections/*':
        return ok(describe(this.#collection(name)))
      case 'DELETE collections/*':
        return this.#drop(name)
      case 'POST collections/*/documents/import':
        return this.#import(name, query, String(body))
      case 'DELETE collections/*/documents':
        return this.#delete(name, query)
      case 'GET aliases':
        return ok({ aliases: [...this.#aliases.keys()].map((alias) => this.#alias(alias)) })
      case 'GET aliases/*':
        return ok(this.#alias(name))
      case 'PUT aliases/*':
        this.#aliases.set(name, (body as { collection_name: string }).collection_name)
        return ok(this.#alias(name))
      case 'POST multi_search':
        return this.#search((body as { searches: Parameters[] }).searches)
      default:
        throw new Failure(404, 'Not Found')
    }
  }

  #alias(name: string) {
    const collection = this.#aliases.get(name)
    if (!collection) throw new Failure(404, 'Not Found')
    return { name, collection_name: collection }
  }

  #collection(name: string): Collection {
    const found = this.#collections.get(this.#aliases.get(name) ?? name)
    if (!found) throw new Failure(404, 'Not Found')
    return found
  }

  #create({ name, fields }: { name: string; fields: Field[] }): Answer {
    if (this.#collections.has(name))
      throw new Failure(409, `A collection with name \`${name}\` already exists.`)
    const unindexed = fields.find((field) => field.index === false && !field.optional)
    if (unindexed)
      throw new Failure(400, `Field \`${unindexed.name}\` must be optional: it is not indexed.`)
    const createdAt = Math.floor(Date.now() / 1000)
    const collection = { name, fields, createdAt, entries: new Map() }
    this.#collections.set(name, collection)
    return { status: 201, body: describe(collection) }
  }

  #drop(name: string): Answer {
    const collection = this.#collection(name)
    this.#collections.delete(collection.name)
    return ok(describe(collection))
  }

  #import(name: string, { action = 'create' }: Record<string, string>, text: string): Answer {
    if (!actions.includes(action)) throw new Failure(400, 'Parameter `action` is not valid.')
    const results = importLines(this.#collection(name), text, action as Action)
    return ok(results.map((result) => JSON.stringify(result)).join('\n'))
  }

  #delete(name: string, { filter_by: filter = '' }: Record<string, string>): Answer {
    const { fields, entries } = this.#collection(name)
    const matches = parseFilter(filter, fields)
    const found = [...entries.values()].filter(({ document }) => matches(document))
    for (const { document } of found) entries.delete(document.id)
    return ok({ num_deleted: found.length })
  }

  /** A failure of one search is its result. */
  #search(searches: Parameters[]): Answer {
    if (searches.length > searchesMax)
      throw new Failure(400, 'Number of multi searches exceeds `limit_multi_searches`.')
    const results = searches.map((parameters) => {
      try {
        return search(this.#collection(String(parameters.collection)), parameters)
      } catch (err) {
        if (!(err instanceof Failure)) throw err
        return { code: err.status, error: err.message }
      }
    })
    return ok({ results })
  }
}

const ok = (body: unknown): Answer => ({ status: 200, body })
