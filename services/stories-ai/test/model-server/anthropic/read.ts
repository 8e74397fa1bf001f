import { type Content, Refusal } from '../types.js'
import type { AnthropicBody, Block } from './body.js'

type Message = AnthropicBody['messages'][number]

export function readAnthropic(body: AnthropicBody): Content {
  checkRoles(body.messages)
  checkToolAnswers(body.messages)
  const blocks = body.messages.flatMap(blocksOf)
  const { system = '' } = body
  return {
    system: typeof system === 'string' ? system : system.map(({ text }) => text).join('\n'),
    text: blocks.map(textOf).join('\n'),
    images: blocks.flatMap(imagesOf),
    called: blocks.flatMap((block) =>
      block.type === 'tool_use' ? [{ name: block.name, input: block.input as unknown }] : [],
    ),
    forcedTool: forcedTool(body),
    schema: body.output_config?.format?.schema,
  }
}

const blocksOf = ({ content }: Message): Block[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content

function textOf(block: Block): string {
  if (block.type === 'text') return block.text
  if (block.type !== 'tool_result') return ''
  const { content = '' } = block
  return typeof content === 'string' ? content : content.map(textOf).join('\n')
}

function imagesOf(block: Block): Buffer[] {
  if (block.type === 'image') return [Buffer.from(block.source.data, 'base64')]
  const isList = block.type === 'tool_result' && Array.isArray(block.content)
  return isList ? (block.content as Block[]).flatMap(imagesOf) : []
}

function checkRoles(messages: Message[]) {
  const wrong = messages.findIndex(
    ({ role }, index) => role !== (index % 2 === 0 ? 'user' : 'assistant'),
  )
  if (wrong !== -1)
    throw new Refusal(400, `messages.${wrong}: roles must alternate, and "user" is the first`)
}

/** Each call is answered in the next message, and nothing else is answered. */
function checkToolAnswers(messages: Message[]) {
  let open: string[] = []
  for (const message of messages) {
    const blocks = blocksOf(message)
    const answered = blocks.flatMap((one) => (one.type === 'tool_result' ? [one.tool_use_id] : []))
    const unknown = answered.filter((id) => !open.includes(id))
    if (unknown.length > 0) throw new Refusal(400, `no open tool call has the id ${unknown}`)
    if (open.some((id) => !answered.includes(id))) break
    open = blocks.flatMap((one) => (one.type === 'tool_use' ? [one.id] : []))
  }
  if (open.length > 0) throw new Refusal(400, `tool calls without an answer: ${open.join(', ')}`)
}

function forcedTool({ tools = [], tool_choice: choice }: AnthropicBody) {
  if (choice?.type !== 'any' && choice?.type !== 'tool') return undefined
  const tool = choice.type === 'any' ? tools[0] : tools.find(({ name }) => name === choice.name)
  if (!tool) throw new Refusal(400, 'tool_choice: there is no such tool')
  return { name: tool.name, schema: tool.input_schema }
}
