import type { Socket } from 'node:net';
import { createCrowdSlices } from '../event-loop/loop-slices.ts';
import { PROBLEM_JSON, protocolProblem } from './problem.ts';

const faultOf = (code: string | undefined): [status: number, detail: string] => {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return [408, 'The request took too long to come in'];
  if (code === 'HPE_HEADER_OVERFLOW') return [431, 'The headers are too long'];
  return [400, 'This is not a valid HTTP request'];
};

/** Faults answered in one turn of the event loop: a thousand connections may end in mid-request at once. */
const FAULTS_A_TURN = 16;

const inSlices = createCrowdSlices(FAULTS_A_TURN);

/**
 * Answers bytes that are no request, or one too slow to be served, and hangs up. Never runs a route. On a connection that was
 * answered before it only hangs up: a reply may be in progress, and this one would end up in the middle of it.
 */
export const handleClientFault = (error: Error & { code?: string }, socket: Socket): void =>
  inSlices(() => answer(error, socket));

const answer = (error: Error & { code?: string }, socket: Socket): void => {
  if (error.code === 'ECONNRESET') socket.destroy();
  else refuseConnection(socket, ...faultOf(error.code));
};

/** Says why nothing more is read from a connection, where nothing was said on it before, and hangs up. */
export const refuseConnection = (socket: Socket, status: number, detail: string): void => {
  if (!socket.writable || socket.bytesWritten > 0) {
    socket.destroy();
    return;
  }
  const problem = protocolProblem(status, detail);
  const body = JSON.stringify(problem);
  const head = [
    `HTTP/1.1 ${status} ${problem.title}`,
    `Content-Type: ${PROBLEM_JSON}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
};
