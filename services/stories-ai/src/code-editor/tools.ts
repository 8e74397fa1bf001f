import type { ToolSet } from 'ai'
import { z } from 'zod'
import type { ToolCall } from '../model/port.js'

const inputs = {
  read_data_schema: z.strictObject({}),
  replace_code: z.strictObject({ code: z.string() }),
  patch_code: z.strictObject({ old: z.string().min(1), new: z.string() }),
  check_code: z.strictObject({}),
}

/** What a model may do. Without `execute`: `runTool` runs them. */
export const tools = {
  read_data_schema: {
    description: "The columns and types of the tables of the figure's data",
    inputSchema: inputs.read_data_schema,
  },
  replace_code: {
    description: 'Replaces the whole code',
    inputSchema: inputs.replace_code,
  },
  patch_code: {
    description: 'Replaces a part of the code: `old` must occur exactly once in it',
    inputSchema: inputs.patch_code,
  },
  check_code: {
    description: 'Whether the code can be parsed and imports only available packages',
    inputSchema: inputs.check_code,
  },
} satisfies ToolSet

/** What tools work on. */
export type Workbench = {
  code: string
  codeBytesMax: number
  /** Reads as the caller, whose permission is checked again. */
  readSchema(): Promise<string>
  /** Null: no problem. */
  check(code: string): Promise<string | null>
}

/** Runs a tool as the model asked. Whatever it asked, the result is a text for it. */
export async function runTool(bench: Workbench, { name, input }: ToolCall): Promise<string> {
  if (name === 'read_data_schema') return bench.readSchema()
  if (name === 'check_code') return (await bench.check(bench.code)) ?? 'no problems'
  if (name === 'replace_code') {
    const { data, error } = inputs.replace_code.safeParse(input)
    return data ? changeCode(bench, data.code) : invalidInput(error)
  }
  if (name === 'patch_code') {
    const { data, error } = inputs.patch_code.safeParse(input)
    return data ? patch(bench, data) : invalidInput(error)
  }
  return 'error: there is no such tool'
}

function patch(bench: Workbench, change: z.infer<(typeof inputs)['patch_code']>): string {
  const { code } = bench
  const at = code.indexOf(change.old)
  if (at < 0) return 'error: `old` does not occur in the code'
  if (code.indexOf(change.old, at + 1) >= 0) return 'error: `old` occurs several times in the code'
  return changeCode(bench, code.slice(0, at) + change.new + code.slice(at + change.old.length))
}

function changeCode(bench: Workbench, code: string): string {
  if (Buffer.byteLength(code) > bench.codeBytesMax) {
    return `error: the code must have at most ${bench.codeBytesMax} bytes`
  }
  bench.code = code
  return 'changed'
}

const invalidInput = (error: z.ZodError) => `error: invalid input: ${z.prettifyError(error)}`
