// What the addresses of a section can stand for in another program. Features, label and prediction are fixed; inputs are taken from
// values of the same role, or of the same type; outputs take the place of values; the rest gets free addresses. Likely ones come
// first. Pure. Must not know positions or how good anything is.
import type { OperandType } from '../../ops/types.js';
import {
  FUNCTION_NAMES,
  type FunctionName,
  type LabelKind,
  type Program,
  TASK_ADDRESSES,
} from '../../program/program.js';
import { addressOf } from '../explain/flow.js';
import { type CodeSection, readAddresses, SectionError, writtenAddress } from './code-section.js';

/**
 * Where the program reads the new value: everywhere in Predict, in Predict and Learn, or in Learn from the section on until the old
 * value is written again.
 */
export type Where = 'predict' | 'both' | 'learn';

/** What an address of a section becomes. */
export type Binding =
  /** An address of the program, for reading and writing. */
  | { readonly kind: 'address'; readonly address: string }
  /** A free address; `isConstant`: that Setup fills with 1, or with what the section's own program fills it with. */
  | { readonly kind: 'free'; readonly isConstant: boolean }
  /** A free address that the program then reads in the place of one of its own. */
  | { readonly kind: 'replace'; readonly address: string; readonly where: Where };

export type Bindings = ReadonlyMap<string, Binding>;

export interface RatedBindings {
  readonly bindings: Bindings;
  /** How unlikely they are to make sense: 0 is what one would write by hand. */
  readonly strangeness: number;
}

/** The program that a section is put into. */
export interface Host {
  readonly program: Program;
  readonly labels: LabelKind;
  readonly roles: ReadonlyMap<string, string>;
}

export function typeOf(address: string): OperandType {
  return address[0] as OperandType;
}

export function fixedAddresses(labels: LabelKind): string[] {
  return Object.values(TASK_ADDRESSES[labels]).map(({ type, address }) => addressOf(type, address));
}

interface Use {
  readonly address: string;
  readonly isRead: boolean;
  readonly isWritten: boolean;
  /** Whether what is written is for others. */
  readonly isOutput: boolean;
  /** Whether Learn writes it. */
  readonly isOfLearn: boolean;
  /** Addresses of the same type that flow into it within the section. */
  readonly origins: readonly string[];
}

/** Which addresses flow into which, over all of the section. */
function originsOf({ code }: CodeSection): Map<string, Set<string>> {
  const all = FUNCTION_NAMES.flatMap((name) => code[name]);
  const origins = new Map<string, Set<string>>();
  // As many passes as a chain can be long.
  for (let pass = 0; pass <= all.length; pass++) {
    for (const instruction of all) {
      const target = writtenAddress(instruction);
      if (target === undefined) continue;
      const known = origins.get(target) ?? new Set();
      origins.set(target, known);
      for (const read of readAddresses(instruction)) {
        known.add(read);
        for (const origin of origins.get(read) ?? []) known.add(origin);
      }
    }
  }
  return origins;
}

/** Addresses whose last write nothing in the section reads, not even in the next step; all that are written if there is none. */
function findOutputs({ code, readOutside }: CodeSection): Set<string> {
  const all = FUNCTION_NAMES.flatMap((name) => code[name]);
  const written = new Set(all.flatMap((instruction) => writtenAddress(instruction) ?? []));
  if (readOutside !== undefined) return new Set([...written].filter((address) => readOutside.has(address)));
  const outputs = [...written].filter((address) => {
    const first = all.findIndex((instruction) => writtenAddress(instruction) === address);
    const last = all.findLastIndex((instruction) => writtenAddress(instruction) === address);
    return !all.some((instruction, k) => (k <= first || k > last) && readAddresses(instruction).includes(address));
  });
  return outputs.length > 0 ? new Set(outputs) : written;
}

/** The addresses of a section that are not fixed, inputs before what depends on them. */
function usesOf(section: CodeSection): Use[] {
  const all = FUNCTION_NAMES.flatMap((name) => section.code[name]);
  const read = new Set(all.flatMap(readAddresses));
  const written = new Set(all.flatMap((instruction) => writtenAddress(instruction) ?? []));
  const outputs = findOutputs(section);
  const origins = originsOf(section);
  const fixed = fixedAddresses(section.labels);
  return [...new Set([...read, ...written])]
    .filter((address) => !fixed.includes(address))
    .map((address) => ({
      address,
      isRead: read.has(address),
      isWritten: written.has(address),
      isOutput: outputs.has(address),
      isOfLearn: section.code.learn.some((instruction) => writtenAddress(instruction) === address),
      origins: [...(origins.get(address) ?? [])].filter((o) => o !== address && typeOf(o) === typeOf(address)),
    }))
    .sort((a, b) => Number(a.isWritten) - Number(b.isWritten));
}

function readIn(program: Program, name: FunctionName): Set<string> {
  return new Set(program[name].flatMap(readAddresses));
}

/** Every address that the program reads or writes. */
export function addressesOf(program: Program): Set<string> {
  const all = FUNCTION_NAMES.flatMap((name) => program[name]);
  return new Set([...all.flatMap(readAddresses), ...all.flatMap((instruction) => writtenAddress(instruction) ?? [])]);
}

interface Rated {
  readonly binding: Binding;
  readonly strangeness: number;
}

/** How far the role of an address in the host is from one in the section: `features` are near to `noisy features`. */
function roleDistance(role: string | undefined, other: string | undefined): number | undefined {
  if (role === undefined || other === undefined) return undefined;
  if (role === other) return 0;
  return ` ${role} `.includes(` ${other} `) || ` ${other} `.includes(` ${role} `) ? 0.5 : undefined;
}

function roleIn({ labels, roles }: Host, address: string): string | undefined {
  const fixed = Object.entries(TASK_ADDRESSES[labels]).find(([, at]) => addressOf(at.type, at.address) === address);
  return fixed?.[0] ?? roles.get(address);
}

/** What is given to the section. */
function inputChoices({ address: own }: Use, section: CodeSection, host: Host, addresses: readonly string[]): Rated[] {
  const role = section.roles.get(own);
  const given = addresses.map(
    (address): Rated => ({
      binding: { kind: 'address', address },
      strangeness:
        roleDistance(role, roleIn(host, address)) ?? (fixedAddresses(host.labels).includes(address) ? 2 : 1.5),
    }),
  );
  const isPrepared = section.prepared.has(own);
  if (!isPrepared && typeOf(own) !== 's') return given;
  return [...given, { binding: { kind: 'free', isConstant: true }, strangeness: isPrepared ? 0.5 : 1.5 }];
}

/** The values of the host that an output is made from: it is likely to take the place of one. */
function sourcesOf({ origins }: Use, { labels }: Host, chosen: Bindings): (string | undefined)[] {
  const fixed = fixedAddresses(labels);
  return origins.map((origin) => {
    const bound = chosen.get(origin);
    return fixed.includes(origin) ? origin : bound?.kind === 'address' ? bound.address : undefined;
  });
}

function replaceChoices(use: Use, host: Host, chosen: Bindings): Rated[] {
  const sources = sourcesOf(use, host, chosen);
  const choices = (name: 'predict' | 'learn', wheres: readonly Where[]) =>
    [...readIn(host.program, name)]
      .filter((address) => typeOf(address) === typeOf(use.address))
      .flatMap((address) =>
        wheres.map(
          (where): Rated => ({
            binding: { kind: 'replace', address, where },
            strangeness: (sources.includes(address) ? 0 : 2) + (where === 'both' ? 0.25 : 0),
          }),
        ),
      );
  return [...choices('predict', ['predict', 'both']), ...(use.isOfLearn ? choices('learn', ['learn']) : [])];
}

/** What an address of the section can become, given what those before it have become. */
function choicesFor(use: Use, section: CodeSection, host: Host, chosen: Bindings): Rated[] {
  const fixed = fixedAddresses(host.labels);
  const all = new Set([...addressesOf(host.program), ...fixed]);
  const addresses = [...all].filter((address) => typeOf(address) === typeOf(use.address));
  if (!use.isWritten) return inputChoices(use, section, host, addresses);
  const free: Rated = { binding: { kind: 'free', isConstant: false }, strangeness: use.isOutput ? 1 : 0 };
  const role = section.roles.get(use.address);
  const over = addresses.map(
    (address): Rated => ({
      binding: { kind: 'address', address },
      strangeness: fixed.includes(address) ? 3 : (roleDistance(role, roleIn(host, address)) ?? 2) + 0.5,
    }),
  );
  if (!use.isOutput) return [free, ...over.filter(({ strangeness }) => strangeness <= 1)];
  return [...replaceChoices(use, host, chosen), ...over, free];
}

/** Whether two addresses of the section would be mixed up. */
function isClash(a: Binding, b: Binding, areInputs: boolean): boolean {
  if (a.kind === 'free' || b.kind === 'free' || a.kind !== b.kind) return false;
  return a.address === b.address && !(a.kind === 'address' && areInputs);
}

const KEPT = 400;

/** The likeliest ways to bind a section, in their order. `given` are bindings that the user asks for. */
export function findBindings(section: CodeSection, host: Host, given: Bindings): RatedBindings[] {
  const uses = usesOf(section);
  const writtenOf = new Map(uses.map(({ address, isWritten }) => [address, isWritten]));
  let found: RatedBindings[] = [{ bindings: new Map(), strangeness: 0 }];
  for (const use of uses) {
    const asked = given.get(use.address);
    found = found
      .flatMap(({ bindings, strangeness }) => {
        const choices =
          asked === undefined ? choicesFor(use, section, host, bindings) : [{ binding: asked, strangeness: 0 }];
        return choices
          .filter(
            ({ binding }) =>
              asked !== undefined ||
              ![...bindings].some(([other, bound]) =>
                isClash(binding, bound, !use.isWritten && writtenOf.get(other) === false),
              ),
          )
          .map((choice) => ({
            bindings: new Map(bindings).set(use.address, choice.binding),
            strangeness: strangeness + choice.strangeness,
          }));
      })
      .sort((a, b) => a.strangeness - b.strangeness)
      .slice(0, KEPT);
  }
  return found;
}

/** The addresses of a section that can be bound. */
function bindableAddresses(section: CodeSection): string[] {
  return usesOf(section).map(({ address }) => address);
}

const PAIR = /^([svm]\d+)=([svm]\d+|new)$/;

/** `v3=v2,m0=new`: addresses of the section, and what each is in the program. Throws SectionError. */
export function parseBindings(
  text: string,
  section: CodeSection,
  { program, labels }: Pick<Host, 'program' | 'labels'>,
): Bindings {
  const own = bindableAddresses(section);
  const known = new Set([...addressesOf(program), ...fixedAddresses(labels)]);
  const bindings = new Map<string, Binding>();
  for (const part of text.split(',').map((each) => each.trim())) {
    const match = PAIR.exec(part);
    if (match === null) throw new SectionError(`'${part}' binds nothing: expected pairs such as v3=v2 or m0=new`);
    const [, from, to] = match as unknown as [string, string, string];
    if (!own.includes(from)) {
      throw new SectionError(`'${part}': the section's addresses that can be bound are ${own.join(', ') || 'none'}`);
    }
    if (to !== 'new' && !known.has(to)) throw new SectionError(`'${part}': the program has no ${to}`);
    bindings.set(from, to === 'new' ? { kind: 'free', isConstant: false } : { kind: 'address', address: to });
  }
  return bindings;
}
