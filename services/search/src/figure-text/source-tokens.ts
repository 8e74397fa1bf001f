export type SourceToken =
  | { kind: 'name'; text: string; isCall: boolean }
  | { kind: 'string'; text: string }
  | { kind: 'comment'; text: string }
  | { kind: 'sign'; text: string }

/** A longer string or name is several tokens: every step is bounded, so that the time is linear. */
const pattern = new RegExp(
  [
    /(?:^[ \t]*%{1,3}|#|\/\/)[#/ \t]*(?<comment>[^\n]{0,500})/u,
    /"""(?<block>[^"]{0,2000})"""/u,
    /"(?<double>(?:[^"\\\n]|\\.){0,300})"/u,
    /'(?<single>(?:[^'\\\n]|\\.){0,300})'/u,
    /(?<name>[\p{L}_][\p{L}\p{N}_]{0,100})(?<call>[ \t]{0,5}\()?/u,
    /(?<sign>[=~[\]$,.+|])/u,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gmu',
)

/** The tokens of code in any language, as far as they can be told without knowing it. Numbers are left out. */
export function* sourceTokens(code: string): Generator<SourceToken> {
  for (const { groups = {} } of code.matchAll(pattern)) {
    const { comment, block, double, single, name, call, sign } = groups
    if (comment !== undefined) yield { kind: 'comment', text: comment.trim() }
    else if (block !== undefined) yield { kind: 'comment', text: block.trim() }
    else if (name !== undefined) yield { kind: 'name', text: name, isCall: call !== undefined }
    else if (sign !== undefined) yield { kind: 'sign', text: sign }
    else yield { kind: 'string', text: (double ?? single ?? '').trim() }
  }
}
