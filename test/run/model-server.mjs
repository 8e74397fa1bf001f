import { fail } from './files.mjs'

/**
 * Runs `work` with a scripted language model, and passes it the settings of a product that uses it. Requests that
 * contradict the protocol of its provider are failures.
 */
export async function withModelServer(work) {
  // Imported late, because it is built first.
  const { startModelServer } = await import(
    '../../services/stories-ai/dist/test/model-server/model-server.js'
  )
  const server = await startModelServer()
  try {
    await work({
      AI_PROVIDER: 'openai',
      AI_BASE_URL: server.openaiUrl,
      AI_API_KEY: server.apiKey,
      AI_MODELS: 'small, large',
      FIGBASE_TEST_MODEL_URL: server.url,
    })
  } finally {
    await server[Symbol.asyncDispose]()
  }
  const problems = new Set(server.problems)
  if (problems.size > 0) fail('requests to the language model', [...problems].join('\n'))
}
