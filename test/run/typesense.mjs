import { fail } from './files.mjs'

/** Runs `work` with the settings of a product that searches with Typesense. What contradicts its API is a failure. */
export async function withTypesense(work) {
  // Imported late, because it is built first.
  const { startTypesenseServer } = await import(
    '../../services/search/dist/test/typesense-server.js'
  )
  const server = await startTypesenseServer()
  try {
    await work({ TYPESENSE_URL: server.url, TYPESENSE_API_KEY: server.apiKey })
  } finally {
    await server[Symbol.asyncDispose]()
  }
  const problems = new Set(server.problems)
  const isSearched = server.requests.some(({ path }) => path === '/multi_search')
  if (!isSearched) problems.add('there was no search')
  if (problems.size > 0) fail('requests to Typesense and its answers', [...problems].join('\n'))
}
