import { exampleOf } from './example-of.js'
import { obey } from './obey.js'
import type { Answer, ModelRequest, Reply } from './types.js'

/** The content and usage of a reply to this request. */
export function answerTo(request: ModelRequest, reply: Reply): Answer {
  const { parts, tools } = contentOf(request, reply)
  const usage = reply.usage ?? {
    input: words(`${request.system}\n${request.text}`),
    output: words(
      `${parts.join('')}\n${tools.map(({ input }) => JSON.stringify(input)).join('\n')}`,
    ),
  }
  return { parts, tools, usage }
}

function contentOf(request: ModelRequest, reply: Reply): Omit<Answer, 'usage'> {
  const { text, tools, json } = reply
  if (reply.echo) return { parts: [`${request.system}\n${request.text}`], tools: [] }
  if (reply.obey) {
    const obeyed = obey(request)
    if (obeyed.parts.length + obeyed.tools.length > 0) return obeyed
  }
  if (json !== undefined) return structured(request, json)
  if (text !== undefined || tools) {
    return { parts: typeof text === 'string' ? [text] : (text ?? []), tools: tools ?? [] }
  }
  const schema = request.forcedTool?.schema ?? request.schema
  if (schema) return structured(request, exampleOf(schema))
  return { parts: [`You asked: ${request.text.slice(-200)}`], tools: [] }
}

function structured({ forcedTool }: ModelRequest, json: unknown): Omit<Answer, 'usage'> {
  if (forcedTool) return { parts: [], tools: [{ name: forcedTool.name, input: json }] }
  return { parts: [JSON.stringify(json)], tools: [] }
}

const words = (text: string) => text.match(/\S+/g)?.length ?? 0
