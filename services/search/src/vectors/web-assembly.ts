type Types = {
  Memory: new (limits: { initial: number }) => WebAssemblyMemory
  Module: new (program: Uint8Array) => object
  Instance: new (
    module: object,
    imports: Record<string, Record<string, WebAssemblyMemory>>,
  ) => { exports: Record<string, unknown> }
}

export type WebAssemblyMemory = {
  /** Another one after each growth. */
  readonly buffer: ArrayBuffer
  /** By pages of 64 KiB. Throws a RangeError if there is not so much memory. */
  grow(pages: number): number
}

/** What is used of WebAssembly. Node.js has it, but the types of Node.js do not. */
export const { Memory, Module, Instance } = Reflect.get(globalThis, 'WebAssembly') as Types
