declare module 'openapi-to-postmanv2' {
  type Result = { result: boolean; reason?: string; output?: { data: unknown }[] }
  const converter: {
    convert(
      input: object,
      options: object,
      done: (error: Error | null, result: Result) => void,
    ): void
  }
  export default converter
}

declare module 'postman-code-generators' {
  const generators: {
    convert(
      language: string,
      variant: string,
      request: unknown,
      options: object,
      done: (error: Error | null, program: string) => void,
    ): void
  }
  export default generators
}

declare module 'postman-collection' {
  const sdk: { Request: new (request: unknown) => object }
  export default sdk
}
