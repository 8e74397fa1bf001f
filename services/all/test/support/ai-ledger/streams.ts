/** Reads a response until it has so many parts. */
export async function readParts(response: Response, count: number): Promise<void> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    if (text.split('event: delta\n').length > count) return
  }
  throw new Error(`the response has fewer than ${count} parts: ${response.status} ${text}`)
}

/** Whether a stream of events ends with an answer, and the text of its parts. */
export function endOfStream(text: string): { ok: boolean; text: string } {
  let parts = ''
  let whole: string | undefined
  for (const [, event, data = ''] of text.matchAll(/^event: (\w+)\ndata: (.*)$/gm)) {
    const value = JSON.parse(data) as { text?: string; response?: string }
    if (event === 'delta') parts += value.text
    if (event === 'done') whole = value.response
  }
  return { ok: whole !== undefined && whole === parts, text: parts }
}
