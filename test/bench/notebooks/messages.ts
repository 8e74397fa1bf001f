/** What the programs are asked; each answers with the port that it listens on. */
export type Start = { notebookPort?: number }
export type Started = { port: number; cookie: string; path: string; host: string }
