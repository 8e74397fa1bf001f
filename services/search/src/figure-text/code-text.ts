/** What the code of a figure says about the figure. Phrases, from the most important to the least. */
export type CodeText = {
  /** Names of types of charts, such as `scatter plot`. */
  charts: string[]
  /** Titles, labels of axes and legends, texts in the chart. */
  titles: string[]
  /** Names of columns, with what is done with them: `mean precipitation`. */
  fields: string[]
  /** How it is built and behaves: `small multiples`, `brush`, `tooltip`. */
  features: string[]
  /** Names of data sets. */
  data: string[]
  /** Constants in the code, such as categories. */
  values: string[]
  /** Text about the figure: comments, notes of a notebook. */
  comments: string[]
}

export const emptyCodeText = (): CodeText => ({
  charts: [],
  titles: [],
  fields: [],
  features: [],
  data: [],
  values: [],
  comments: [],
})

export function joinCodeTexts(texts: CodeText[]): CodeText {
  const all = emptyCodeText()
  for (const text of texts) {
    for (const kind of Object.keys(all) as (keyof CodeText)[]) all[kind].push(...text[kind])
  }
  return all
}
