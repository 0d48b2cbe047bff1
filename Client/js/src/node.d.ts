// The few things of Node that tcp.js and file.js use, so that its types are checked without those of all of Node.
interface NodeSocket {
  on(event: string, listener: (value: any) => void): this;
  removeAllListeners(event: string): this;
  write(bytes: Uint8Array): boolean;
  cork(): void;
  uncork(): void;
  end(): void;
  destroy(error?: Error): void;
  readonly writableLength: number;
  readonly writableCorked: number;
  readonly alpnProtocol?: string | false;
}
declare module "node:net" {
  export function connect(options: object): NodeSocket;
}
declare module "node:tls" {
  export function connect(options: object): NodeSocket;
}
declare module "node:fs" {
  export function openSync(path: string, flags: string): number;
  export function closeSync(file: number): void;
  export function ftruncateSync(file: number, length: number): void;
  export function fdatasyncSync(file: number): void;
  export function readFileSync(path: string): Buffer;
  export function readFileSync(path: string, encoding: "utf8"): string;
  export function renameSync(from: string, to: string): void;
  export function rmSync(path: string, options: { force: boolean }): void;
  export function writeSync(file: number, content: Uint8Array | string): number;
  export function statSync(path: string): { mtimeMs: number };
}
declare module "node:v8" {
  export function serialize(value: unknown): Uint8Array;
  export function deserialize(bytes: Uint8Array): any;
}
interface Buffer extends Uint8Array {
  writeUInt32BE(value: number, at?: number): number;
  readUInt32BE(at: number): number;
  subarray(start: number, end?: number): Buffer;
}
declare const Buffer: { alloc(size: number): Buffer };
declare const process: { pid: number; kill(pid: number, signal: number): boolean; nextTick(run: () => void): void };
