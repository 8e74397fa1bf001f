import type { EnvReader } from '@figbase/kit/config'
import { readAiModels } from '@figbase/kit/settings'

const baseUrls = {
  none: '',
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
}

/** The whole answer is one message. */
const outputTokensBound = 60_000

/** The settings of language models and of what is sent to them. */
export function readAiConfig(env: EnvReader) {
  const { provider, models } = readAiModels(env)
  const outputTokensMax = env.positiveInt(
    'AI_OUTPUT_TOKENS_MAX',
    4096,
    `maximum length of an answer, in tokens; at most ${outputTokensBound}`,
  )
  if (outputTokensMax > outputTokensBound) {
    env.problems.push(`AI_OUTPUT_TOKENS_MAX: must be at most ${outputTokensBound}`)
  }
  return {
    provider,
    models,
    baseUrl:
      env.url('AI_BASE_URL', '', 'base URL of that API; empty: that of the provider itself') ||
      baseUrls[provider],
    apiKey: env.secret('AI_API_KEY', 'key for that API; empty: none'),
    inputTokensMax: env.positiveInt(
      'AI_INPUT_TOKENS_MAX',
      24_000,
      'maximum size of what is sent about figures with one request, in tokens by estimate; the rest is left out',
    ),
    outputTokensMax,
    storyFiguresMax: env.positiveInt(
      'AI_STORY_FIGURES_MAX',
      50,
      'figures of a story about which a model writes; later ones are left out',
    ),
    promptBytesMax: env.bytes(
      'AI_PROMPT_BYTES_MAX',
      '32KiB',
      'maximum size of a question, and of the text of a question without a figure',
    ),
    pictureSizePx: env.positiveInt(
      'AI_PICTURE_SIZE_PX',
      1024,
      'maximum width and height of pictures that are sent; larger ones are scaled down',
    ),
    idleTimeoutMs: env.duration(
      'AI_IDLE_TIMEOUT',
      '60s',
      'how long a language model may send nothing before the request is given up',
    ),
    timeoutMs: env.duration('AI_TIMEOUT', '10m', 'timeout for one request to a language model'),
    retriesMax: env.int(
      'AI_RETRIES_MAX',
      1,
      'further attempts of a request that the provider refused because it is overloaded',
    ),
    answerRetentionMs: env.duration(
      'AI_ANSWER_RETENTION',
      '7d',
      'how long an answer may serve later requests with the same content; 0s: never',
    ),
    agentStepsMax: env.positiveInt(
      'AI_AGENT_STEPS_MAX',
      12,
      'maximum number of requests to a language model for one edit of code',
    ),
    agentTokensMax: env.positiveInt(
      'AI_AGENT_TOKENS_MAX',
      200_000,
      'tokens after which an edit of code ends with what is done',
    ),
    agentTimeoutMs: env.duration(
      'AI_AGENT_TIMEOUT',
      '5m',
      'time after which an edit of code ends with what is done',
    ),
    codeBytesMax: env.bytes('AI_CODE_BYTES_MAX', '128KiB', 'maximum size of code that is edited'),
    messagesBytesMax: env.bytes(
      'AI_MESSAGES_BYTES_MAX',
      '64KiB',
      'maximum total size of the messages about code that is edited',
    ),
    imageBytesMax: env.bytes(
      'AI_IMAGE_BYTES_MAX',
      '4MiB',
      'maximum size of a picture in a request',
    ),
    codeCheckTimeoutMs: env.duration('AI_CODE_CHECK_TIMEOUT', '10s', 'timeout for parsing code'),
    codeCheckMemoryBytesMax: env.bytes(
      'AI_CODE_CHECK_MEMORY_BYTES_MAX',
      '1GiB',
      'maximum memory of the child process that parses code; if it takes more, it is killed',
    ),
  }
}

export type AiConfig = ReturnType<typeof readAiConfig>
