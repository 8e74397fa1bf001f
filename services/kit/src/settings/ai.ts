import type { EnvReader } from '../config/config.js'

/** The language models that requests may name; empty without a provider, and AI is off then. */
export function readAiModels(env: EnvReader) {
  const provider = env.oneOf(
    'AI_PROVIDER',
    ['none', 'openai', 'anthropic'],
    'none',
    'the API of the language models; `openai`: any server with its chat completions; `none`: AI is off',
  )
  const models = env.list(
    'AI_MODELS',
    'names of the language models that users and staff can choose from; the first is the default',
  )
  if (provider === 'none') return { provider, models: [] as string[] }
  if (models.length === 0) env.problems.push(`AI_MODELS is required with AI_PROVIDER=${provider}`)
  return { provider, models }
}
