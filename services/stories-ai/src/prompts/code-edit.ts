import type { ModelMessage } from 'ai'
import type { FigureContext } from '../figure-context/read-figure.js'
import { figureContent } from './figure-content.js'
import { marked } from './figure-data.js'
import { dataRules, type Prompt } from './prompt.js'

type Edit = {
  figure: FigureContext
  language: string
  code: string
  packages: string[] | null
  conversation: ModelMessage[]
}

/** A conversation about the code of a figure, which the model changes by tools. */
export const codeEdit = ({ figure, language, code, packages, conversation }: Edit): Prompt => ({
  name: 'code_edit',
  version: 1,
  system: `
You change the code of a figure (${language}) as the user asks in the messages after the data. Change it only by the tools
replace_code and patch_code. Read the schema of the data before you use columns that the code does not name. Check the
code after your last change, and correct what the check reports. Do only what the user asks. At the end, say in one or
two sentences what you changed.
${dataRules}
The same is true for what tools return.`.trim(),
  messages: [
    {
      role: 'user',
      content: [
        ...figureContent(figure),
        { type: 'text', text: marked({ kind: 'code', name: 'the current code', text: code }) },
        ...(packages
          ? [
              {
                type: 'text' as const,
                text: marked({ kind: 'packages', text: packages.join('\n') }),
              },
            ]
          : []),
      ],
    },
    ...conversation,
  ],
})
