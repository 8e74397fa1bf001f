import { invalid } from '@figbase/kit/errors'
import type { EditCodeRequest } from '@figbase/proto/code-editor'
import type { ModelMessage } from 'ai'
import { scaledPng } from '../insight/scaled-png.js'
import type { AiConfig } from '../model/config.js'

const messagesMax = 100
const packagesMax = 2000
const packageCharsMax = 100
const pngSignature = Buffer.from('89504e470d0a1a0a', 'hex')

/** The conversation and the code of a request; 400 naming the member for what is not allowed. */
export function parseEdit(
  { messages, currentCode, availablePackages }: EditCodeRequest,
  { codeBytesMax, messagesBytesMax }: AiConfig,
): { conversation: ModelMessage[]; code: string; packages: string[] | null } {
  if (Buffer.byteLength(currentCode) > codeBytesMax) {
    throw invalid('current_code', `must have at most ${codeBytesMax} bytes`)
  }
  const packages = availablePackages?.names ?? null
  if (packages && packages.length > packagesMax) {
    throw invalid('available_packages', `must be at most ${packagesMax}`)
  }
  const longest = packages?.findIndex((name) => name.length > packageCharsMax) ?? -1
  if (longest >= 0) {
    const field = `available_packages[${longest}]`
    throw invalid(field, `must have at most ${packageCharsMax} characters`)
  }
  const conversation = parseMessages(messages, messagesBytesMax)
  return { conversation, code: currentCode, packages }
}

function parseMessages(messages: EditCodeRequest['messages'], bytesMax: number): ModelMessage[] {
  if (messages.length > messagesMax) throw invalid('messages', `must be at most ${messagesMax}`)
  let bytes = 0
  const conversation = messages.map(({ role, content }, at): ModelMessage => {
    if (role !== 'user' && role !== 'assistant') {
      throw invalid(`messages[${at}].role`, 'must be user or assistant')
    }
    if (!content.trim()) throw invalid(`messages[${at}].content`, 'must not be empty')
    bytes += Buffer.byteLength(content)
    return { role, content }
  })
  if (bytes > bytesMax) throw invalid('messages', `must have at most ${bytesMax} bytes`)
  if (conversation.at(-1)?.role !== 'user')
    throw invalid('messages', 'must end with one of the user')
  return conversation
}

/** A PNG of a request, scaled to the size of pictures that are sent. */
export async function parsePicture(
  image: Uint8Array,
  { imageBytesMax, pictureSizePx }: AiConfig,
): Promise<Uint8Array> {
  if (image.length > imageBytesMax) {
    throw invalid('figure_image', `must have at most ${imageBytesMax} bytes`)
  }
  // Before it is opened: other formats, such as SVG, are read in child processes only.
  if (!pngSignature.equals(image.subarray(0, pngSignature.length))) {
    throw invalid('figure_image', 'must be a PNG')
  }
  try {
    return await scaledPng(image, pictureSizePx)
  } catch {
    throw invalid('figure_image', 'must be a PNG')
  }
}
