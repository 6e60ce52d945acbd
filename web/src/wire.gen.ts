// Written by `python -m sandtable.server.typescript`; do not edit. The protocol is explained in docs/protocol.md.
/* eslint-disable */

/** Answer the open question with this action. */
export interface Act {
  type: "Act";
  id: number;
  v: number;
  keys?: string[];
  to?: string;
  action?: Record<string, unknown> | null;
}

/** What a bot would do and why, for all that one seat knows. */
export interface Advice {
  bot: string;
  rule: string;
  question: string;
  chosen: string;
  plan: string[];
  considered: WireConsidered[];
  chances: WireChance[];
  what_ifs: WhatIf[];
  numbers: string[];
  cut_short: boolean;
  action: Record<string, unknown>;
  units: string[];
  hexes: string[];
  steps: WireStep[];
  played: string;
  is_same: boolean;
}

/** One way to win, or to score. */
export interface Aim {
  side: string;
  text: string;
  rule: string;
  when: string;
  tallies: Tally[];
  met: boolean;
}

/** Places that an action would be about: where shells fall, where something flies. */
export interface Area {
  title: string;
  hexes: string[];
  units: string[];
  is_way: boolean;
  outlines: [number, number][][];
}

/** What this viewpoint is asked. */
export interface Ask {
  question: number;
  rule: string;
  title: string;
  root: WireNode;
}

/** A question whose answers are mostly those of the one before; the shape of its root is the same. */
export interface AskChange {
  question: number;
  rule: string;
  title: string;
  branches: BranchesChange | null;
  slots: SlotsChange | null;
  budgets: WireBudget[] | null;
}

/** One direction of a table. */
export interface Axis {
  name: string;
  values: (number | string)[];
  clamp: boolean;
}

/** A computer player that can be chosen. */
export interface BotRow {
  name: string;
  kind: string;
  title: string;
  level: number | null;
  character: string;
}

/** An estimate with its 95 % bounds. */
export interface Bounds {
  low: number;
  estimate: number;
  high: number;
}

/** A place off the map that holds counters. */
export interface Box {
  id: string;
  title: string;
}

/** Which branches of the root are not as they were, told like counters. */
export interface BranchesChange {
  gone: string[];
  put: WireBranch[];
  order: string[] | null;
}

/** Something said at the table. */
export interface ChatLine {
  n: number;
  name: string;
  seat: string;
  text: string;
  at: number;
}

/** How much time a seat has. */
export interface Clock {
  per: "game" | "move";
  seconds: number;
  increment?: number;
}

/** The clocks, where they change without an entry; with `outcome` if one ran out or somebody resigned. */
export interface Clocks {
  type: "Clocks";
  clocks: WireClock[];
  outcome: WireOutcome | null;
}

/** Something that holds for everybody: the light, the sky, the ground. */
export interface Condition {
  name: string;
  text: string;
  rule: string;
  is_night: boolean;
  is_dull: boolean;
}

/** Agree, or not, to what was asked; the asker withdraws with `agree` false. */
export interface ConsentUndo {
  type: "ConsentUndo";
  id: number;
  v: number;
  agree: boolean;
}

/** A piece on the map or in a box. */
export interface Counter {
  id: string;
  side: string;
  face: Face;
  hex: string;
  box: string;
  facing: number | null;
  markers: Marker[];
  spine: number | null;
  turret: number | null;
  held_by: string;
  spotted_by: string[] | null;
  heading: number | null;
  turret_heading: number | null;
  base: [number, number] | null;
  is_top: boolean;
}

/** Which counters are not as they were. */
export interface CountersChange {
  gone: string[];
  put: Counter[];
  order: string[] | null;
}

/** POST /api/account/register and /login: the name and the password of an account. */
export interface Credentials {
  name: string;
  password: string;
}

/** The chance to win at one moment. */
export interface CurvePoint {
  seq: number;
  turn: number;
  share: Bounds;
  lead: number;
  known: boolean;
}

/** A place that a path can lead to; the answer is `keys` to the node and `to` this key. */
export interface Destination {
  key: string;
  kind: string;
  label: string;
  ref: string;
  facing: number | null;
  cost: number | null;
}

/** It is done and kept; `v` is the version in which it shows. */
export interface Done {
  type: "Done";
  re: number;
  v: number;
}

/** An action with the replies that interrupted it: its luck and its decisions, in points for the first seat. */
export interface EntryLuck {
  seq: number;
  to: number;
  turn: number;
  seat: string;
  action: string;
  before: number;
  decision: number;
  luck: number;
  after: number;
  rolls: RollLuck[];
  exact: boolean;
  note: string;
}

/** The visible side of a counter. */
export interface Face {
  symbol: string;
  title: string;
  code: string;
  colour: string;
  values: Value[];
  layout: string;
}

/** One thing wrong with an input. */
export interface Fault {
  where: string;
  wrong: string;
  right: string;
}

/**
 * Something drawn; exactly one of outline, line, sides, at, or else hexes is its geometry.
 *
 * On a table a line that has a width has an outline too, which is what is drawn.
 */
export interface FeatureDrawn {
  kind: string;
  hexes: [number, number][];
  sides: [number, number, number][];
  outline: [number, number][];
  line: [number, number][];
  at: [number, number] | null;
  text: string;
  level: number | null;
  attributes: Record<string, string | number | boolean>;
  board: string;
}

/** What is seen from a place, or from where a counter stands. */
export interface Field {
  type: "Field";
  id: number;
  hex?: string;
  unit?: string;
}

/** Answers Field with the labels of the hexes seen, or on a table with the outlines of what is seen. */
export interface FieldSeen {
  type: "FieldSeen";
  re: number;
  hex: string;
  seen: string[];
  outlines: [number, number][][];
}

/** A formation with those of its counters that the seat knows. */
export interface FormationShown {
  id: string;
  title: string;
  side: string;
  above: string;
  counters: string[];
  note: string;
}

/** Which formations are not as they were. */
export interface FormationsChange {
  gone: string[];
  put: FormationShown[];
  order: string[] | null;
}

/** Let this bot play my seat from now on; with `bot` `""` I take it back. `""` is the seat that I look from. */
export interface HandOver {
  type: "HandOver";
  id: number;
  bot: string;
  seat?: string;
}

/** A hex of the boards. */
export interface HexDrawn {
  label: string;
  q: number;
  r: number;
  x: number;
  y: number;
  level: number;
  terrain: string[];
  routes: string[];
  playable: boolean;
  board: string;
}

/** A sign that lies in a hex. */
export interface HexMarker {
  hex: string;
  marker: Marker;
}

/** What would this bot do in my place, and why; other messages are answered meanwhile. */
export interface Hint {
  type: "Hint";
  id: number;
  v: number;
  bot: string;
}

/** Answers Hint: what a computer player would do, and why. */
export interface Hinted {
  type: "Hinted";
  re: number;
  v: number;
  advice: Advice;
}

/** A place that the victory conditions count. */
export interface Holding {
  id: string;
  title: string;
  hexes: string[];
  holder: string;
  rule: string;
  points: Record<string, number>;
  note: string;
}

/** GET /api/join/TOKEN: what one is invited to; and an open table of the lobby. */
export interface Invitation {
  token: string;
  table: string;
  title: string;
  system: string;
  summary: string;
  turns: number;
  seat: string;
  side: string;
  colour: string;
  second: boolean;
  clock: Clock | null;
  inviter: string;
  help: boolean;
}

/** An invitation of yours that nobody has taken yet; the link is `#/join/TOKEN`. */
export interface InviteRow {
  table: string;
  seat: string;
  token: string;
  is_public: boolean;
}

/** The chances of two results that come together, as a table. */
export interface JointOdds {
  row_title: string;
  column_title: string;
  rows: string[];
  columns: string[];
  cells: number[][];
  note: string;
  is_partial: boolean;
}

/** What stands against a value for every slot of the assignment below these branches, or against a drawing there. */
export interface Judge {
  type: "Judge";
  id: number;
  v: number;
  keys: string[];
  values: string[];
}

/** Answers Judge: nothing stands against it if there is no refusal. */
export interface Judged {
  type: "Judged";
  re: number;
  v: number;
  refusals: Refusal[];
}

/** POST /api/lessons/ID: begin a lesson. */
export interface Learn {
  step: number;
}

/** A kind of terrain. */
export interface LegendRow {
  title: string;
  paint: string;
  facts: Record<string, string>;
  status: Record<string, string>;
}

/** A lesson that can be taken. */
export interface LessonRow {
  id: string;
  system: string;
  title: string;
  summary: string;
  minutes: number;
  steps: number;
}

/** The values of some slots of the node below these branches. */
export interface ListValues {
  type: "ListValues";
  id: number;
  v: number;
  keys: string[];
  slots: string[];
}

/** GET /api/tables/ID/map: the map as it is drawn, which does not change in play. */
export interface MapDrawing {
  digest: string;
  hexes: HexDrawn[];
  sides: SideDrawn[];
  features: FeatureDrawn[];
  legend: Record<string, LegendRow>;
  names: Record<string, string[]>;
  exits: Record<string, Record<string, string[]>>;
  table: TableDrawn | null;
}

/** A moment of a drawing: where it has come to, and what it has taken so far. */
export interface Mark {
  at: [number, number];
  heading: number | null;
  spent: number | null;
  left: number | null;
}

/** A small sign on a counter or in a hex. */
export interface Marker {
  text: string;
  title: string;
  tone: string;
}

/** One term of a number. */
export interface Modifier {
  value: number;
  label: string;
  rule: string;
}

/** GET /api/tables/ID/replay/SEQ: the position after an entry. */
export interface Moment {
  seq: number;
  last: number;
  entry: WireEntry;
  scene: Scene;
  outcome: WireOutcome | null;
}

/** POST /api/tables: a new table, and who sits at it. */
export interface NewTable {
  scenario: string;
  seats?: Record<string, string>;
  clock?: Clock | null;
  options?: Record<string, string>;
}

/** POST /api/open: a log or a situation file. */
export interface OpenFile {
  name: string;
  text: string;
  seats?: Record<string, string>;
}

/** Shapes on a table that belong to a counter. */
export interface Outline {
  type: "Outline";
  id: number;
  unit: string;
  what: string;
}

/** Answers Outline: the shapes on the table that belong to the counter. */
export interface Outlined {
  type: "Outlined";
  re: number;
  unit: string;
  what: string;
  zones: Zone[];
}

/** One thing that a side's score comes from. */
export interface Part {
  name: string;
  number: number;
  rule: string;
  note: string;
  of: number | null;
}

/** Something that lies on a table for a while: smoke, a wreck, rubble. */
export interface Patch {
  kind: string;
  outline: [number, number][];
  title: string;
}

/** Somebody came, left or took a seat. */
export interface Presence {
  type: "Presence";
  seats: WireSeat[];
  watchers: number;
  help: boolean;
}

/** What an action would bring, for all that its seat knows. */
export interface Preview {
  text: string;
  chances: WireChance[];
  exact: boolean;
  breakdowns: WireBreakdown[];
  steps: WireStep[];
  units: string[];
  unit_odds: WireUnitOdds[];
  what_ifs: WhatIf[];
  effect: number | null;
  areas: Area[];
  sheet: WireSheet | null;
}

/** Breakdown, exact odds and the steps of a move, before confirming. */
export interface Price {
  type: "Price";
  id: number;
  v: number;
  keys?: string[];
  to?: string;
  action?: Record<string, unknown> | null;
  estimate?: boolean;
}

/** Answers Price: the preview of the answer that `keys` and `to` name, which is the one to send. */
export interface Priced {
  type: "Priced";
  re: number;
  v: number;
  preview: Preview;
  keys: string[];
  to: string;
}

/** Who is asked what, under which rule. */
export interface Prompt {
  rule: string;
  title: string;
  asked: string[];
  yours: boolean;
}

/** Why something is not allowed. */
export interface Refusal {
  rule: string;
  reason: string;
  remedy: string;
  slots: string[];
}

/** The rules do not allow it; nothing changed. */
export interface Refused {
  type: "Refused";
  re: number;
  rule: string;
  reason: string;
  remedy: string;
  slots: string[];
}

/** The message cannot be read or is not yours to send; `re` is null where its `id` is unknown. */
export interface Rejected {
  type: "Rejected";
  re: number | null;
  faults: Fault[];
}

/** Give the game up. */
export interface Resign {
  type: "Resign";
  id: number;
}

/** Asks for a snapshot: everything as the seat sees it now, when an update was missed. */
export interface Resync {
  type: "Resync";
  id: number;
}

/** The review of a finished game: its curve, its turning points and the luck of each side. */
export interface Review {
  scenario: string;
  title: string;
  seats: string[];
  outcome: string;
  bots: string;
  games: number;
  curve: CurvePoint[];
  turning_points: TurningPoint[];
  luck: SideLuck[];
  entries: EntryLuck[];
  warnings: string[];
}

/** A roll and what it was worth. */
export interface RollLuck {
  why: string;
  faces: number[];
  expected: number;
  got: number;
}

/** Somebody said something. */
export interface Said {
  type: "Said";
  line: ChatLine;
}

/** Say something to everybody at the table. */
export interface Say {
  type: "Say";
  id: number;
  text: string;
}

/** A scenario that can be played. */
export interface ScenarioRow {
  id: string;
  system: string;
  title: string;
  turns: number;
  status: string;
  summary: string;
  sides: WireSide[];
  switches: SwitchRow[];
  level: string;
}

/** A view without the state that it was built from: all that a client draws. */
export interface Scene {
  seat: string;
  tracks: Track[];
  counters: Counter[];
  hex_markers: HexMarker[];
  boxes: Box[];
  scores: Score[];
  prompt: Prompt | null;
  outcome: string;
  stakes: Stakes;
  open_seats: string[];
  side_markers: SideMarker[];
  conditions: Condition[];
  formations: FormationShown[];
  patches: Patch[];
}

/** What of a scene is not as it was before; what is null is. `prompt` and `outcome` are always told. */
export interface SceneChange {
  counters: CountersChange | null;
  tracks: Track[] | null;
  hex_markers: HexMarker[] | null;
  boxes: Box[] | null;
  scores: Score[] | null;
  stakes: Stakes | null;
  open_seats: string[] | null;
  side_markers: SideMarker[] | null;
  conditions: Condition[] | null;
  formations: FormationsChange | null;
  patches: Patch[] | null;
  prompt: Prompt | null;
  outcome: string;
}

/** Where a side stands. */
export interface Score {
  side: string;
  points: number;
  parts: Part[];
}

/** One thing that happened, in words, with its numbers and what is to be seen of it. */
export interface Sentence {
  text: string;
  breakdowns: WireBreakdown[];
  kind: string;
  refs: string[];
  beat: WireBeat | null;
}

/** One counter on a sheet. */
export interface SheetRow {
  unit: string;
  text: string;
  note: string;
}

/** One side of a sheet, for all that the seat knows. */
export interface SheetSide {
  side: string;
  title: string;
  total: string;
  rows: SheetRow[];
  note: string;
}

/** A hexside with something on it: of hex (q, r), direction 0 N to 5 NW clockwise. */
export interface SideDrawn {
  q: number;
  r: number;
  dir: number;
  kinds: string[];
}

/** What luck did to one side over the game. */
export interface SideLuck {
  seat: string;
  luck: number;
  rolls: number;
  best: string;
  worst: string;
}

/** A sign that lies on a hexside. */
export interface SideMarker {
  hex: string;
  direction: number;
  marker: Marker;
}

/** What of the line between two places. */
export interface Sight {
  type: "Sight";
  id: number;
  a: string;
  b: string;
}

/** All about the line of sight between two places, by their labels. */
export interface SightReport {
  a: string;
  b: string;
  range: number;
  blocked: boolean;
  at: string | null;
  at_side: [number, number, number] | null;
  by: string;
  reason: string;
  rules: string[];
  hindrance: number;
  hindrances: WireHindrance[];
  height_a: number;
  height_b: number;
  profile: WireProfile[];
}

/** Answers Sight: whether two places see one another, and all that lies between them. */
export interface Sighted {
  type: "Sighted";
  re: number;
  report: SightReport;
}

/** Look from another of my seats, or (`""`) as a watcher: the hand-over of a hot-seat game. */
export interface Sit {
  type: "Sit";
  id: number;
  seat: string;
}

/** Which slots of the root are not as they were, told like counters. */
export interface SlotsChange {
  gone: string[];
  put: WireSlot[];
  order: string[] | null;
}

/** Everything, on connecting and on resync. */
export interface Snapshot {
  type: "Snapshot";
  v: number;
  scene: Scene;
  ask: Ask | null;
  log: WireEntry[];
  seats: WireSeat[];
  watchers: number;
  help: boolean;
  clocks: WireClock[];
  chat: ChatLine[];
  undo: WireUndo;
  outcome: WireOutcome | null;
  lesson: WireLesson | null;
  protocol: number;
}

/** The kind of space that a game is played on. */
export type Space = "hexes" | "plane" | "points";

/** What a game is about: the aims of both sides, the places that count and how long it lasts. */
export interface Stakes {
  turn: number;
  turns: number;
  end: string;
  rule: string;
  aims: Aim[];
  holdings: Holding[];
}

/** Made against an older position; nothing was applied. `v` is the present version. */
export interface Stale {
  type: "Stale";
  re: number;
  v: number;
}

/** How far a number can be trusted. */
export type Status = "published" | "reconstructed" | "verbatim";

/** A condition of a scenario that players may turn for their game. */
export interface SwitchRow {
  name: string;
  title: string;
  on: boolean;
}

/** A system that can be played. */
export interface SystemRow {
  id: string;
  title: string;
  rulebook: string;
  players: number;
  hidden: boolean;
  chance: boolean;
  simultaneous: boolean;
  space: Space;
}

/** A table without hexes: its size in inches. */
export interface TableDrawn {
  title: string;
  width: number;
  depth: number;
}

/** GET /api/tables/ID: what does not change in play. */
export interface TableInfo {
  id: string;
  kind: "game" | "replay";
  title: string;
  system: SystemRow;
  scenario: string;
  turns: number;
  status: string;
  summary: string;
  briefing: string;
  sides: WireSide[];
  objectives: WireObjective[];
  victory: string[];
  seats: WireSeat[];
  invites: Record<string, string>;
  owner: boolean;
  clock: Clock | null;
  options: Record<string, string>;
  over: boolean;
  last: number;
  rules: Record<string, string>;
  summaries: Record<string, string>;
  waits: Record<string, string>;
  glossary: Term[];
  tables: TableShown[];
  cards: Record<string, unknown>;
  card_of: Record<string, string>;
  has_map: boolean;
  tools: string[];
  outlines: Record<string, string>;
}

/** Answers POST /api/tables, /api/join and /api/open: the table that one comes to. */
export interface TableMade {
  id: string;
  invites: Record<string, string>;
  warnings: string[];
}

/** A table of yours. */
export interface TableRow {
  id: string;
  kind: "game" | "replay";
  title: string;
  system: string;
  scenario: string;
  seats: WireSeat[];
  your_move: boolean;
  over: boolean;
  result: string;
  updated: number;
}

/** A rulebook's table; `verbatim` lists the cells (by their axis values) that the book itself states. */
export interface TableShown {
  name: string;
  title: string;
  rule: string;
  source: string;
  status: Status;
  axes: Axis[];
  cells: unknown[];
  note: string;
  verbatim: ((number | string)[])[];
}

/** Something that is counted towards an aim. */
export interface Tally {
  title: string;
  have: number;
  need: number;
}

/** An abbreviation: what it means, and the rule that has it. */
export interface Term {
  term: string;
  meaning: string;
  rule: string;
  written: string[];
}

/** Something that could hit a place. */
export interface Threat {
  unit: string;
  text: string;
  breakdown: WireBreakdown | null;
}

/** What can hit me there. */
export interface Threaten {
  type: "Threaten";
  id: number;
  hex: string;
}

/** Answers Threaten: who could fire at a hex, as far as the seat may know. */
export interface Threats {
  type: "Threats";
  re: number;
  hex: string;
  known: boolean;
  threats: Threat[];
}

/** A row of boxes with a marker in one: turns, the sequence of play. */
export interface Track {
  id: string;
  title: string;
  steps: string[];
  at: number;
}

/** Answers Try: how far a drawing holds, what it costs, and what stands against the rest. */
export interface Tried {
  type: "Tried";
  re: number;
  v: number;
  marks: Mark[];
  upto: number;
  refusal: Refusal | null;
}

/** How far a drawing holds, while it is being drawn; at most ten a second are judged. */
export interface Try {
  type: "Try";
  id: number;
  v: number;
  keys: string[];
  strokes: string;
}

/** Of a lesson: begin this step anew, or go on from one that is only read. */
export interface TurnTo {
  type: "TurnTo";
  id: number;
  step: number;
}

/** A stretch in which the game turned. */
export interface TurningPoint {
  from_seq: number;
  to_seq: number;
  turn: number;
  change: number;
  before: number;
  after: number;
  towards: string;
  luck: number;
  decision: number;
  told: string[];
}

/** Take my last action back, or ask the others to agree. */
export interface Undo {
  type: "Undo";
  id: number;
  v: number;
}

/** Somebody asks to take back, or answered. */
export interface UndoChanged {
  type: "UndoChanged";
  undo: WireUndo;
}

/**
 * One more line of the log: `v` is one more than before, or a message was missed.
 *
 * It carries what is not as this client had it, from a snapshot or the update before.
 */
export interface Update {
  type: "Update";
  v: number;
  entry: WireEntry;
  scene: SceneChange;
  ask: Ask | null;
  ask_change: AskChange | null;
  clocks: WireClock[];
  undo: WireUndo;
  outcome: WireOutcome | null;
  lesson: WireLesson | null;
}

/** A named number or word on a counter. */
export interface Value {
  name: string;
  text: string;
  place: string;
}

/** Answers ListValues: the slots that were asked about, with all that each may be set to. */
export interface ValuesListed {
  type: "ValuesListed";
  re: number;
  v: number;
  slots: WireSlot[];
}

/** The node below these branches. */
export interface Walk {
  type: "Walk";
  id: number;
  v: number;
  keys: string[];
}

/** Answers Walk: the node that these keys lead to, with its branches or slots. */
export interface Walked {
  type: "Walked";
  re: number;
  v: number;
  node: WireNode;
}

/** Something that a preview leaves out, because another side decides on it or it is not known. */
export interface WhatIf {
  what: string;
  rule: string;
  chances: WireChance[];
  exact: boolean;
  breakdowns: WireBreakdown[];
  unit_odds: WireUnitOdds[];
}

/** Why an answer is not possible; `allowed` if it is. */
export interface Why {
  allowed: boolean;
  refusal: Refusal | null;
}

/** Why is this not possible: the answer named, or picking `ref` at the node at `keys`. */
export interface WhyNot {
  type: "WhyNot";
  id: number;
  v: number;
  keys?: string[];
  to?: string;
  action?: Record<string, unknown> | null;
  ref?: string;
  is_hex?: boolean | null;
}

/** A line of fire, from hex to hex. */
export interface WireAim {
  a: string;
  b: string;
}

/** What is to be seen of an event; see `docs/protocol.md`, "Showing what happened". */
export interface WireBeat {
  kind: "effect" | "fire" | "mark" | "move" | "phase" | "result";
  units: string[];
  lines: WireAim[];
  path: string[];
  hex: string;
  facing: number | null;
  faces: number[];
  needed: string;
  rolled: string;
  effect: string;
  came_off: boolean | null;
}

/** One way to go on from a node. */
export interface WireBranch {
  key: string;
  kind: string;
  label: string;
  ref: string;
  is_hex: boolean;
  leaf: boolean;
}

/** A number with its reasons, the sums worked out. */
export interface WireBreakdown {
  title: string;
  rule: string;
  base: number;
  base_label: string;
  terms: Modifier[];
  net: number;
  total: number;
  looked_up: boolean;
  result_label: string;
  final: string;
  text: string;
}

/** So much of something for all slots together, or for those of one group. */
export interface WireBudget {
  label: string;
  most: number;
  rule: string;
  costs: Record<string, number>;
  group: string;
  weights: Record<string, number>;
  note: string;
}

/** One thing that can come of an action. */
export interface WireChance {
  what: string;
  probability: number;
  exact: string;
}

/** A seat's clock. */
export interface WireClock {
  seat: string;
  left_ms: number;
  running: boolean;
}

/** An answer that was weighed. */
export interface WireConsidered {
  what: string;
  worth: number;
  looked: number | null;
  worlds: number;
  reasons: WireReason[];
}

/** A line of the log as this viewpoint may know it. */
export interface WireEntry {
  seq: number;
  kind: "action" | "begin" | "undo";
  seat: string;
  text: string;
  sentences: Sentence[];
  rolls: WireRoll[];
  tracks: Record<string, number>;
  back_to: number | null;
  rule: string;
}

/** Something that makes a line of sight harder without blocking it. */
export interface WireHindrance {
  hex: string | null;
  what: string;
  rule: string;
  value: number;
}

/** The step of a lesson that is open. */
export interface WireLesson {
  id: string;
  title: string;
  step: number;
  steps: number;
  text: string;
  does: boolean;
  want: string;
  units: string[];
  hexes: string[];
  parts: string[];
  keys: string[];
  to: string;
}

/** GET /api/lobby: what can be played, and your tables. */
export interface WireLobby {
  me: WirePerson;
  systems: SystemRow[];
  scenarios: ScenarioRow[];
  lessons: LessonRow[];
  bots: BotRow[];
  tables: TableRow[];
  invites: InviteRow[];
  open: Invitation[];
}

/** A place in the tree of choices. */
export interface WireNode {
  shape: "assign" | "gather" | "leaf" | "path" | "pick" | "put" | "sweep";
  keys: string[];
  branches: WireBranch[];
  slots: WireSlot[];
  destinations: Destination[];
  budgets: WireBudget[];
  limited: boolean;
  foretold: boolean;
  sketch: WireSketch | null;
}

/** A place worth points. */
export interface WireObjective {
  id: string;
  title: string;
  hexes: string[];
  points: Record<string, number>;
}

/** How the game ended; `rule` is `""` where a clock or a resignation ended it. */
export interface WireOutcome {
  winner: string;
  summary: string;
  rule: string;
  scores: Record<string, number>;
}

/** Who you are. */
export interface WirePerson {
  name: string;
  guest: boolean;
}

/** The ground at one step along a line, for drawing it from the side. */
export interface WireProfile {
  hex: string | null;
  side: [number, number, number] | null;
  ground: number;
  top: number;
  what: string;
}

/** Something that speaks for or against an answer, in points. */
export interface WireReason {
  what: string;
  points: number;
}

/** GET and POST /api/tables/ID/review: the review of a finished game, or how far the work on it is. */
export interface WireReview {
  state: "done" | "failed" | "none" | "working";
  done: number;
  of: number;
  trouble: string;
  review: Review | null;
}

/** Dice as they fell. */
export interface WireRoll {
  dice: string;
  faces: number[];
  total: number;
  why: string;
}

/** Who sits where. */
export interface WireSeat {
  seat: string;
  title: string;
  colour: string;
  kind: "bot" | "open" | "person";
  name: string;
  online: boolean;
  yours: boolean;
  stand_in: string;
}

/** A fight on one sheet. */
export interface WireSheet {
  title: string;
  rule: string;
  sides: SheetSide[];
  line: string;
  joint: JointOdds | null;
}

/** A seat of a scenario. */
export interface WireSide {
  id: string;
  title: string;
  colour: string;
}

/** What may be drawn; lengths are thousandths, headings tenths of a degree. The key of a drawing is its text. */
export interface WireSketch {
  verbs: string[];
  turns: boolean;
  base: [number, number] | null;
  start: [number, number] | null;
  heading: number | null;
  rails: Record<string, [number, number][]>;
  region: [number, number][][];
  followers: [number, number][];
}

/** Something that takes one of several values. */
export interface WireSlot {
  key: string;
  kind: string;
  label: string;
  values: string[];
  required: boolean;
  words: string[];
  listed: boolean;
  plain: string;
  group: string;
  note: string;
}

/** A counter comes to a place, on the way of a move. */
export interface WireStep {
  unit: string;
  hex: string;
  facing: number | null;
  cost: number | null;
  text: string;
  heading: number | null;
}

/** Whether the last action can be taken back. */
export interface WireUndo {
  free: boolean;
  reason: string;
  asked_by: string;
  agreed: string[];
  waits_for: string[];
}

/** What can become of one counter that an action strikes. */
export interface WireUnitOdds {
  unit: string;
  chances: WireChance[];
}

/** Answers WhyNot: why something cannot be chosen now, with its rule. */
export interface WireWhy {
  type: "WireWhy";
  re: number;
  v: number;
  why: Why;
}

/** A shape over a table that answers a question: a field of fire, how far a command reaches. */
export interface Zone {
  title: string;
  outline: [number, number][];
  tone: string;
}

export type ClientMessage = Act | Price | WhyNot | Walk | ListValues | Judge | Try | Outline | Sight | Field | Threaten | Undo | ConsentUndo | Resign | Say | Sit | Hint | HandOver | TurnTo | Resync;

export type ServerMessage = Snapshot | Update | Presence | Clocks | UndoChanged | Said | Done | Refused | Stale | Rejected | Walked | ValuesListed | Judged | Tried | Outlined | Priced | WireWhy | Sighted | FieldSeen | Threats | Hinted;
